//! The system's side of a window: its frame, which no page can reach.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, InputFocus,
    StackMode, Window,
};
use x11rb::rust_connection::RustConnection;

/// Presses the close button of the window that a process opened last.
pub fn close_newest_window_of(process: u32) {
    let (display, screen) = x11rb::connect(None).unwrap();
    let root = display.setup().roots[screen].root;
    // A window's number grows with each one that a program opens.
    let newest = windows_of(&display, root, process)
        .into_iter()
        .max()
        .expect("the process has no window");
    let (protocols, delete) = (
        atom(&display, "WM_PROTOCOLS"),
        atom(&display, "WM_DELETE_WINDOW"),
    );
    let message = ClientMessageEvent::new(
        32,
        newest,
        protocols,
        [delete, x11rb::CURRENT_TIME, 0, 0, 0],
    );
    // Checked: the connection must not end before the message has arrived.
    display
        .send_event(false, newest, EventMask::NO_EVENT, message)
        .unwrap()
        .check()
        .unwrap();
}

/// How many windows of a process are in sight.
pub fn windows_in_sight_of(process: u32) -> usize {
    let (display, screen) = x11rb::connect(None).unwrap();
    let root = display.setup().roots[screen].root;
    windows_of(&display, root, process).len()
}

/// Puts the window that a process opened first before all others.
pub fn raise_oldest_window_of(process: u32) {
    let (display, screen) = x11rb::connect(None).unwrap();
    let root = display.setup().roots[screen].root;
    let oldest = windows_of(&display, root, process)
        .into_iter()
        .min()
        .expect("the process has no window");
    let above = ConfigureWindowAux::new().stack_mode(StackMode::ABOVE);
    display
        .configure_window(oldest, &above)
        .unwrap()
        .check()
        .unwrap();
}

/// Takes the keyboard away from every window, as a person does who looks at another program's.
pub fn look_elsewhere() {
    let (display, _) = x11rb::connect(None).unwrap();
    display
        .set_input_focus(InputFocus::NONE, x11rb::NONE, x11rb::CURRENT_TIME)
        .unwrap()
        .check()
        .unwrap();
}

/// Whether the window that a process opened last is before all its others.
pub fn newest_window_is_in_front_of(process: u32) -> bool {
    let (display, screen) = x11rb::connect(None).unwrap();
    let root = display.setup().roots[screen].root;
    // From the lowest to the highest.
    let windows = windows_of(&display, root, process);
    windows.last() == windows.iter().max()
}

/// Windows that are in sight, and say that they can be closed and to which process they belong.
fn windows_of(display: &RustConnection, root: Window, process: u32) -> Vec<Window> {
    let belongs = |window: &Window| {
        let owner = display
            .get_property(
                false,
                *window,
                atom(display, "_NET_WM_PID"),
                AtomEnum::CARDINAL,
                0,
                1,
            )
            .unwrap()
            .reply();
        let owner = owner.ok().and_then(|owner| owner.value32()?.next());
        let shown = display
            .get_window_attributes(*window)
            .unwrap()
            .reply()
            .is_ok_and(|about| u8::from(about.map_state) != 0);
        shown && owner == Some(process)
    };
    display
        .query_tree(root)
        .unwrap()
        .reply()
        .unwrap()
        .children
        .into_iter()
        .filter(belongs)
        .collect()
}

fn atom(display: &RustConnection, name: &str) -> u32 {
    display
        .intern_atom(false, name.as_bytes())
        .unwrap()
        .reply()
        .unwrap()
        .atom
}
