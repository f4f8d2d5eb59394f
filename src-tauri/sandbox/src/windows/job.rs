//! How much a server may use: a Job Object around the jail and all that it starts.

use crate::profile::Limits;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, IntoRawHandle, OwnedHandle};
use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows::Win32::System::Threading::GetCurrentProcess;

/// Puts this process into a job, and with it all that it starts from now on. The job is open until
/// this process ends, and then ends what is left in it.
pub(super) fn bound_this_process(limits: &Limits) -> io::Result<()> {
    let mut bounds = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    bounds.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_ACTIVE_PROCESS
        | JOB_OBJECT_LIMIT_JOB_MEMORY
        | JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // The jail is one of them.
    let processes = limits.processes.saturating_add(1);
    bounds.BasicLimitInformation.ActiveProcessLimit = u32::try_from(processes).unwrap_or(u32::MAX);
    bounds.JobMemoryLimit = usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX);
    let length = u32::try_from(size_of_val(&bounds)).map_err(io::Error::other)?;
    #[expect(unsafe_code, reason = "no library puts its own process into a job")]
    // SAFETY: the handle is ours alone, and what is pointed to outlives the call.
    unsafe {
        let handle = OwnedHandle::from_raw_handle(CreateJobObjectW(None, None)?.0);
        let job = HANDLE(handle.as_raw_handle());
        SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const bounds).cast(),
            length,
        )?;
        AssignProcessToJobObject(job, GetCurrentProcess())?;
        let _ = handle.into_raw_handle();
    }
    Ok(())
}
