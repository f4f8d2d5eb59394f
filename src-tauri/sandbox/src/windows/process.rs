//! A process in a container. The standard library starts none with these attributes.

use super::container::Container;
use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;
use windows::Win32::Foundation::{
    HANDLE, HANDLE_FLAG_INHERIT, HLOCAL, LocalFree, SetHandleInformation, WAIT_OBJECT_0,
};
use windows::Win32::Security::Authorization::ConvertStringSidToSidW;
use windows::Win32::Security::{PSID, SECURITY_CAPABILITIES, SID_AND_ATTRIBUTES};
use windows::Win32::System::Console::{
    GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE,
};
use windows::Win32::System::SystemServices::SE_GROUP_ENABLED;
use windows::Win32::System::Threading::{
    CREATE_NO_WINDOW, CREATE_SUSPENDED, CreateProcessW, DeleteProcThreadAttributeList,
    EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess, INFINITE, InitializeProcThreadAttributeList,
    LPPROC_THREAD_ATTRIBUTE_LIST, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
    PROC_THREAD_ATTRIBUTE_SECURITY_CAPABILITIES, PROCESS_INFORMATION, ResumeThread,
    STARTF_USESTDHANDLES, STARTUPINFOEXW, UpdateProcThreadAttribute, WaitForSingleObject,
};
use windows::core::{HSTRING, PCWSTR, PWSTR};

/// The code with which a process ended.
pub(super) type Code = i32;

/// A process that was made and does not run yet.
pub(super) struct Suspended {
    process: OwnedHandle,
    thread: OwnedHandle,
}

impl Suspended {
    /// Makes one with our own standard streams, working directory and environment.
    pub(super) fn start(command: &Path, line: &str, container: &Container) -> io::Result<Self> {
        let streams = [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE];
        let mut handles = [HANDLE::default(); 3];
        for (handle, stream) in handles.iter_mut().zip(streams) {
            #[expect(unsafe_code, reason = "no library hands them on with a list")]
            // SAFETY: asks for a number.
            let found = unsafe { GetStdHandle(stream) };
            *handle = found?;
        }
        with(command, line, container, handles)
    }

    /// Makes one that is given nothing to read and that nobody hears.
    pub(super) fn start_unheard(
        command: &Path,
        line: &str,
        container: &Container,
    ) -> io::Result<Self> {
        let nothing = File::options().read(true).write(true).open("NUL")?;
        with(
            command,
            line,
            container,
            [HANDLE(nothing.as_raw_handle()); 3],
        )
    }

    /// Lets it run, and waits for its end.
    pub(super) fn run_to_end(self) -> io::Result<Code> {
        let process = HANDLE(self.process.as_raw_handle());
        let mut code = 0;
        #[expect(
            unsafe_code,
            reason = "the standard library knows only its own children"
        )]
        // SAFETY: both handles are open, and `code` outlives the call that writes it.
        unsafe {
            if ResumeThread(HANDLE(self.thread.as_raw_handle())) == u32::MAX {
                return Err(io::Error::last_os_error());
            }
            if WaitForSingleObject(process, INFINITE) != WAIT_OBJECT_0 {
                return Err(io::Error::last_os_error());
            }
            GetExitCodeProcess(process, &raw mut code)?;
        }
        Ok(code.cast_signed())
    }
}

/// Our standard input, without a buffer. It is not closed.
pub(super) fn input() -> io::Result<std::mem::ManuallyDrop<File>> {
    #[expect(unsafe_code, reason = "the standard library reads ahead")]
    // SAFETY: the handle is open as long as this process runs, and is not closed here.
    let input = unsafe { File::from_raw_handle(GetStdHandle(STD_INPUT_HANDLE)?.0) };
    Ok(std::mem::ManuallyDrop::new(input))
}

fn with(
    command: &Path,
    line: &str,
    container: &Container,
    streams: [HANDLE; 3],
) -> io::Result<Suspended> {
    let identity = Identifier::read(container.identity())?;
    let capabilities: Vec<_> = (container.capabilities.iter())
        .map(|text| Identifier::read(text))
        .collect::<io::Result<_>>()?;
    let mut granted: Vec<_> = (capabilities.iter())
        .map(|capability| SID_AND_ATTRIBUTES {
            Sid: capability.0,
            Attributes: SE_GROUP_ENABLED.cast_unsigned(),
        })
        .collect();
    let security = SECURITY_CAPABILITIES {
        AppContainerSid: identity.0,
        Capabilities: granted.as_mut_ptr(),
        CapabilityCount: u32::try_from(granted.len()).map_err(io::Error::other)?,
        Reserved: 0,
    };
    // In a list of handles each stands once.
    let mut inherited = streams.to_vec();
    inherited.dedup();
    let attributes = Attributes::of(&security, &inherited)?;
    let program: Vec<u16> = command.as_os_str().encode_wide().chain([0]).collect();
    let mut line: Vec<u16> = line.encode_utf16().chain([0]).collect();
    let mut startup = STARTUPINFOEXW::default();
    startup.StartupInfo.cb =
        u32::try_from(size_of::<STARTUPINFOEXW>()).map_err(io::Error::other)?;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    [
        startup.StartupInfo.hStdInput,
        startup.StartupInfo.hStdOutput,
        startup.StartupInfo.hStdError,
    ] = streams;
    startup.lpAttributeList = attributes.list();
    let mut made = PROCESS_INFORMATION::default();
    #[expect(
        unsafe_code,
        reason = "no library starts a process in a container with our streams"
    )]
    // SAFETY: all that is pointed to outlives the call, both texts end with a zero, and the handles
    // that come back are ours alone.
    unsafe {
        for handle in &inherited {
            SetHandleInformation(*handle, HANDLE_FLAG_INHERIT.0, HANDLE_FLAG_INHERIT)?;
        }
        CreateProcessW(
            PCWSTR(program.as_ptr()),
            Some(PWSTR(line.as_mut_ptr())),
            None,
            None,
            true,
            EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED | CREATE_NO_WINDOW,
            None,
            None,
            &raw const startup.StartupInfo,
            &raw mut made,
        )?;
        Ok(Suspended {
            process: OwnedHandle::from_raw_handle(made.hProcess.0),
            thread: OwnedHandle::from_raw_handle(made.hThread.0),
        })
    }
}

/// A security identifier.
struct Identifier(PSID);

impl Identifier {
    fn read(text: &str) -> io::Result<Self> {
        let mut sid = PSID::default();
        #[expect(unsafe_code, reason = "no library hands one out")]
        // SAFETY: the text ends with a zero and outlives the call, and so does what it writes.
        unsafe {
            ConvertStringSidToSidW(&HSTRING::from(text), &raw mut sid)?;
        }
        Ok(Self(sid))
    }
}

impl Drop for Identifier {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "that is how it is given back")]
        // SAFETY: it was handed out by the system to be given back so, and once.
        unsafe {
            LocalFree(Some(HLOCAL(self.0.0)));
        }
    }
}

/// What is said of a process beside its command: the container, and what it inherits.
struct Attributes<'a> {
    place: Vec<u64>,
    _of: &'a SECURITY_CAPABILITIES,
}

impl<'a> Attributes<'a> {
    fn of(security: &'a SECURITY_CAPABILITIES, inherited: &'a [HANDLE]) -> io::Result<Self> {
        let mut bytes = 0;
        #[expect(unsafe_code, reason = "no library makes such a list")]
        // SAFETY: the first call only asks how long the list is, the second fills a place of that
        // length, and what the list points to outlives it.
        unsafe {
            let _ = InitializeProcThreadAttributeList(None, 2, None, &raw mut bytes);
            let this = Self {
                place: vec![0; bytes.div_ceil(size_of::<u64>())],
                _of: security,
            };
            InitializeProcThreadAttributeList(Some(this.list()), 2, None, &raw mut bytes)?;
            UpdateProcThreadAttribute(
                this.list(),
                0,
                PROC_THREAD_ATTRIBUTE_SECURITY_CAPABILITIES as usize,
                Some(ptr::from_ref(security).cast()),
                size_of::<SECURITY_CAPABILITIES>(),
                None,
                None,
            )?;
            UpdateProcThreadAttribute(
                this.list(),
                0,
                PROC_THREAD_ATTRIBUTE_HANDLE_LIST as usize,
                Some(inherited.as_ptr().cast()),
                size_of_val(inherited),
                None,
                None,
            )?;
            Ok(this)
        }
    }

    fn list(&self) -> LPPROC_THREAD_ATTRIBUTE_LIST {
        LPPROC_THREAD_ATTRIBUTE_LIST(self.place.as_ptr().cast_mut().cast())
    }
}

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "that is how it is given back")]
        // SAFETY: it was filled by the system, and is given back once.
        unsafe {
            DeleteProcThreadAttributeList(self.list());
        }
    }
}
