;; y = 2 x + y over n floats. x begins at base, and y n floats later.
(module
  (import "env" "memory" (memory 1))
  (func (export "args") (result i32) (i32.const 0))

  ;; Bytes of each array.
  (func $size (result i32)
    (i32.mul (i32.trunc_f64_u (f64.load (i32.const 0))) (i32.const 4)))

  (func (export "prepare") (param $kernel i32) (param $x i32)
    (local $i i32) (local $y i32)
    (local.set $y (i32.add (local.get $x) (call $size)))
    (loop $next
      (f32.store (i32.add (local.get $x) (local.get $i))
        (f32.convert_i32_u (i32.rem_u (local.get $i) (i32.const 7))))
      (f32.store (i32.add (local.get $y) (local.get $i)) (f32.const 1))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $i) (call $size)))))

  (func (export "run") (param $kernel i32) (param $x i32) (param $reps i32)
    (local $i i32) (local $y i32) (local $size i32)
    (local.set $size (call $size))
    (local.set $y (i32.add (local.get $x) (local.get $size)))
    (loop $again
      (local.set $i (i32.const 0))
      (loop $next
        (f32.store (i32.add (local.get $y) (local.get $i))
          (f32.add
            (f32.mul (f32.const 2) (f32.load (i32.add (local.get $x) (local.get $i))))
            (f32.load (i32.add (local.get $y) (local.get $i)))))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $i) (local.get $size))))
      (local.set $reps (i32.sub (local.get $reps) (i32.const 1)))
      (br_if $again (i32.gt_s (local.get $reps) (i32.const 0)))))

  ;; The sum of |y - (2 x + 1)|.
  (func (export "verify") (param $kernel i32) (param $x i32) (result f64)
    (local $i i32) (local $y i32) (local $error f64)
    (local.set $y (i32.add (local.get $x) (call $size)))
    (loop $next
      (local.set $error
        (f64.add (local.get $error)
          (f64.abs (f64.promote_f32
            (f32.sub (f32.load (i32.add (local.get $y) (local.get $i)))
              (f32.add (f32.const 1)
                (f32.mul (f32.const 2) (f32.load (i32.add (local.get $x) (local.get $i))))))))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $i) (call $size))))
    (local.get $error)))
