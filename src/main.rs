//! The `countersign` binary: hands the command line to [`countersign::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(countersign::cli::main())
}
