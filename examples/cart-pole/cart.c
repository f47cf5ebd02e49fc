/* cart.lp: a policy for cart-pole, written by ndnf 0.1.0.
 * Its actions are meant to be picked by argmax.
 *
 * cart_probabilities fills p with one probability per action.
 * cart_action gives the most probable action, the first of equals; -1 where the policy names no action, -2
 *   where it names several, or probabilities that do not sum to 1.
 * cart_sample draws an action by u, a uniform random number with 0 <= u < 1; -1 and -2 as above.
 * cart_name gives an action's name, or "none".
 *
 * Example:
 *   float numbers[cart_numbers_size];  the environment's numbers, in its order; not NaN
 *   if (cart_action(numbers) == cart_action_left) ...
 */
#include <float.h>

enum {
  cart_number_position = 0, /* m */
  cart_number_velocity = 1, /* m/s */
  cart_number_angle = 2, /* rad */
  cart_number_spin = 3, /* rad/s */
  cart_numbers_size = 4
};

enum {
  cart_action_left = 0,
  cart_action_right = 1,
  cart_actions = 2
};

#ifdef __cplusplus
extern "C" {
#endif

void cart_probabilities(const float *numbers, double *p);
int cart_action(const float *numbers);
int cart_sample(const float *numbers, double u);
const char *cart_name(int action);

/* Rules see a number x as the whole number ceil(x / quantum), at least low and at most high. */
#if DBL_MANT_DIG != 53 || FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD > 1 || defined(__FAST_MATH__)
#error "one division in IEEE double precision is needed: no -ffast-math, and no extended precision"
#endif
static long cart_place(float x, double quantum, long low, long high) {
  const double k = (double)x / quantum;
  if (!(k > (double)low)) return low;
  if (k > (double)high) return high;
  return (long)k + (k > (double)(long)k ? 1 : 0);
}

void cart_probabilities(const float *numbers, double *p) {
  const long k_angle = cart_place(numbers[cart_number_angle], 0.001, -418, 419); /* in 0.001 rad */
  const long k_spin = cart_place(numbers[cart_number_spin], 0.001, -10000, 10000); /* in 0.001 rad/s */
  for (int a = 0; a < cart_actions; ++a) p[a] = 0;

  /* action(right) :- angle(A), spin(S), 2*A+S > 0.  % angle + 0.5*spin > 0 */
  if (2 * k_angle + k_spin > 0) p[cart_action_right] = 1;

  /* action(left) :- angle(A), spin(S), 2*A+S <= 0.  % angle + 0.5*spin <= 0 */
  if (2 * k_angle + k_spin <= 0) p[cart_action_left] = 1;
}

/* 0 where p is a distribution. */
static int cart_defect(const double *p) {
  double sum = 0;
  for (int a = 0; a < cart_actions; ++a) sum += p[a];
  if (sum > 1 - 1e-6 && sum < 1 + 1e-6) return 0;
  return sum > 0 ? -2 : -1;
}

int cart_action(const float *numbers) {
  double p[cart_actions];
  cart_probabilities(numbers, p);
  int best = cart_defect(p);
  for (int a = 1; a < cart_actions && best >= 0; ++a) {
    if (p[a] > p[best]) best = a;
  }
  return best;
}

int cart_sample(const float *numbers, double u) {
  double p[cart_actions];
  cart_probabilities(numbers, p);
  int drawn = cart_defect(p);
  for (int a = 0; a < cart_actions && drawn >= 0 && u >= 0; ++a) {
    if (p[a] > 0) drawn = a;
    u -= p[a];
  }
  return drawn;
}

const char *cart_name(int action) {
  switch (action) {
    case cart_action_left: return "left";
    case cart_action_right: return "right";
    default: return "none";
  }
}

#ifdef __cplusplus
}
#endif
