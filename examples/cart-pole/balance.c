/* A controller around the rules in cart.lp, exported by `ndnf export cart.lp --format c -o cart.c`.
 * It reads position, velocity, angle and spin, one line per step, and writes the action.
 * Build: cc -std=c99 -Wall -Wconversion -o balance balance.c
 */
#include <stdio.h>

#include "cart.c"

int main(void) {
  float numbers[cart_numbers_size];
  while (scanf("%f %f %f %f", &numbers[cart_number_position], &numbers[cart_number_velocity],
               &numbers[cart_number_angle], &numbers[cart_number_spin]) == cart_numbers_size) {
    const int action = cart_action(numbers);
    if (action < 0) return 1; /* `ndnf check cart.lp` proves that this never happens */
    puts(cart_name(action));
    fflush(stdout);
  }
  return 0;
}
