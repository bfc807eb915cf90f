// y = 2 x + y over n floats.
#![no_std]

static mut PARAMS: [f64; 6] = [0.0; 6];

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

#[no_mangle]
pub extern "C" fn args() -> *mut f64 {
    unsafe { core::ptr::addr_of_mut!(PARAMS) as *mut f64 }
}

/// The arrays x and y.
unsafe fn arrays(base: *mut f32) -> (&'static mut [f32], &'static mut [f32]) {
    let n = *args() as usize;
    (
        core::slice::from_raw_parts_mut(base, n),
        core::slice::from_raw_parts_mut(base.add(n), n),
    )
}

#[no_mangle]
pub unsafe extern "C" fn prepare(_kernel: i32, base: *mut f32) {
    let (x, y) = arrays(base);
    for (i, (x, y)) in x.iter_mut().zip(y).enumerate() {
        *x = (i % 7) as f32 - 3.0;
        *y = 1.0;
    }
}

#[no_mangle]
pub unsafe extern "C" fn run(_kernel: i32, base: *mut f32, reps: i32) {
    let (x, y) = arrays(base);
    for _ in 0..reps {
        // region: NAME
        for (x, y) in x.iter().zip(y.iter_mut()) {
            *y = 2.0 * x + *y;
        }
        // end region: NAME
    }
}

#[no_mangle]
pub unsafe extern "C" fn verify(_kernel: i32, base: *mut f32) -> f64 {
    let (x, y) = arrays(base);
    let mut error = 0.0;
    for (x, y) in x.iter().zip(y.iter()) {
        let difference = (y - (2.0 * x + 1.0)) as f64;
        error += difference * difference;
    }
    error
}
