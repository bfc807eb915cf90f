// y = 2 x + y over n floats. There is no standard library: use __builtin_fabs, for example.
static double params[6];

static int count() { return int(params[0]); }

extern "C" {

double* args() { return params; }

void prepare(int kernel, float* base) {
  float *x = base, *y = base + count();
  for (int i = 0; i < count(); ++i) {
    x[i] = float(i % 7) - 3;
    y[i] = 1;
  }
}

void run(int kernel, float* base, int reps) {
  float *x = base, *y = base + count();
  for (int rep = 0; rep < reps; ++rep) {
    // region: NAME
    for (int i = 0; i < count(); ++i) y[i] = 2 * x[i] + y[i];
    // end region: NAME
  }
}

double verify(int kernel, float* base) {
  float *x = base, *y = base + count();
  double error = 0;
  for (int i = 0; i < count(); ++i) error += __builtin_fabs(y[i] - (2 * x[i] + 1));
  return error;
}

}  // extern "C"
