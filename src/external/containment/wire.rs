//! What `evalctl` and the helper process that supervises a bot say to each other.
//!
//! One Unix stream socket, frames of a 32-bit length and JSON. The order goes first, with the
//! bot's three pipe ends as ancillary data, so that no descriptor is ever inheritable by accident.
//! After that the helper only reports, and the socket's end means "end the bot".

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::ending::Ending;

/// The longest frame in bytes: arguments and environment of a bot.
const MAX_FRAME: usize = 8 << 20;

/// What the helper is to start, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// The whole environment but for HOME and TMPDIR.
    pub env: Vec<(OsString, OsString)>,
    /// Where the scratch folder is made.
    pub scratch_parent: PathBuf,
    pub bounds: Bounds,
    /// Cores the bot may use; empty means all.
    pub bot_cores: Vec<usize>,
    /// Cores the helper may use; empty means all.
    pub helper_cores: Vec<usize>,
    /// Whether the bot gets a session of its own, and not only a process group.
    pub own_session: bool,
    /// User and group id to run as.
    pub account: Option<(u32, u32)>,
    /// Present under `strict`.
    pub strict: Option<StrictOrder>,
}

/// Resource limits of each process of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// Private writable memory, bytes.
    pub data: u64,
    /// Address space, bytes.
    pub address_space: u64,
    /// Largest file, bytes.
    pub file_size: u64,
    /// Processor seconds.
    pub cpu_seconds: u64,
    /// Open files.
    pub open_files: u64,
    /// Processes and threads of the user.
    pub processes: Option<u64>,
}

/// What `strict` adds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StrictOrder {
    /// Folders and files the bot may read and run, besides the system's.
    pub readable: Vec<PathBuf>,
}

/// What the helper says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// The program runs.
    Started {
        /// Its process id.
        pid: i32,
    },
    /// It could not be started.
    Failed {
        /// What was tried and what the system said.
        why: String,
        /// The system's error number, if the program itself could not be executed.
        errno: Option<i32>,
    },
    /// The program ended, and with it everything that it had started.
    Ended(Ending),
}

/// Sends a frame.
pub(super) fn send<T: Serialize>(mut socket: &UnixStream, message: &T) -> io::Result<()> {
    let frame = frame(message)?;
    socket.write_all(&frame)
}

/// Sends a frame with descriptors.
pub(super) fn send_with_descriptors<T: Serialize>(
    mut socket: &UnixStream,
    message: &T,
    descriptors: &[BorrowedFd<'_>; 3],
) -> io::Result<()> {
    let frame = frame(message)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(descriptors));
    let sent = rustix::net::sendmsg(
        socket.as_fd(),
        &[IoSlice::new(&frame)],
        &mut control,
        SendFlags::NOSIGNAL,
    )?;
    socket.write_all(frame.get(sent..).unwrap_or_default())
}

/// Receives a frame; `None` when the other side has closed.
pub(super) fn receive<T: DeserializeOwned>(mut socket: &UnixStream) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match socket.read_exact(&mut length) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    receive_body(socket, length).map(Some)
}

/// Receives a frame with descriptors.
pub(super) fn receive_with_descriptors<T: DeserializeOwned>(
    socket: &UnixStream,
) -> io::Result<(T, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut length = [0; 4];
    let received = rustix::net::recvmsg(
        socket.as_fd(),
        &mut [IoSliceMut::new(&mut length)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC | RecvFlags::WAITALL,
    )?;
    if received.bytes != length.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut descriptors = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            descriptors.extend(received);
        }
    }
    Ok((receive_body(socket, length)?, descriptors))
}

fn frame<T: Serialize>(message: &T) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = frame.len() - 4;
    if length > MAX_FRAME {
        let why = "the arguments and the environment are too long";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let length = u32::try_from(length).map_err(io::Error::other)?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

fn receive_body<T: DeserializeOwned>(mut socket: &UnixStream, length: [u8; 4]) -> io::Result<T> {
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStringExt as _;

    fn order() -> Order {
        Order {
            program: "/bin/true".into(),
            args: vec![OsString::from_vec(vec![0xff, 0x41])],
            env: vec![("PATH".into(), "/usr/bin".into())],
            scratch_parent: "/tmp".into(),
            bounds: Bounds {
                data: 1,
                address_space: 2,
                file_size: 3,
                cpu_seconds: 4,
                open_files: 5,
                processes: Some(6),
            },
            bot_cores: vec![1],
            helper_cores: vec![0, 1],
            own_session: true,
            account: Some((1000, 1000)),
            strict: Some(StrictOrder {
                readable: vec!["/opt/bot".into()],
            }),
        }
    }

    #[test]
    fn an_order_arrives_whole_with_its_descriptors() {
        let (here, there) = UnixStream::pair().unwrap();
        let (reader, mut writer) = std::io::pipe().unwrap();
        let mut order = order();
        // Longer than a socket buffer, so that it is sent in pieces.
        order
            .args
            .extend((0..3000).map(|_| OsString::from("x".repeat(100))));
        let copy = order.clone();
        let sender = std::thread::spawn(move || {
            let fd = reader.as_fd();
            send_with_descriptors(&here, &copy, &[fd, fd, fd]).unwrap();
            here
        });
        let (received, descriptors): (Order, _) = receive_with_descriptors(&there).unwrap();
        assert_eq!(received, order);
        assert_eq!(descriptors.len(), 3);
        writer.write_all(b"hi").unwrap();
        let mut two = [0; 2];
        std::fs::File::from(descriptors.into_iter().nth(2).unwrap())
            .read_exact(&mut two)
            .unwrap();
        assert_eq!(&two, b"hi");
        let here = sender.join().unwrap();
        send(&there, &Report::Ended(Ending::Killed(9))).unwrap();
        drop(there);
        let report: Option<Report> = receive(&here).unwrap();
        assert_eq!(report, Some(Report::Ended(Ending::Killed(9))));
        assert_eq!(receive::<Report>(&here).unwrap(), None);
    }
}
