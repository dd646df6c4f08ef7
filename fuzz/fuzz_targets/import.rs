#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some(target) = evalctl::fuzz::Target::named("import") {
        (target.body)(bytes);
    }
});
