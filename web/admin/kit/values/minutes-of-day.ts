/** The minutes since midnight of a time of the day as forms have it, such as 07:30. */
export const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
