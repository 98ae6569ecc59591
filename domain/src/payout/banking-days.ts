/** Days on which banks book: a sum that cannot have arrived yet is not missing. */
import { dayMs, utcDay } from '../time.ts'

/** The day that is so many banking days after another; both `YYYY-MM-DD`. */
export function bankingDaysAfter(day: string, count: number, currency: string): string {
  let at = Date.parse(`${day}T00:00:00Z`)
  for (let left = count; left > 0; ) {
    at += dayMs
    if (isBankingDay(new Date(at), currency)) left -= 1
  }
  return utcDay(at)
}

/** Holidays are known for the euro alone; other currencies rest at weekends. */
function isBankingDay(date: Date, currency: string): boolean {
  const weekday = date.getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  return currency !== 'EUR' || !closingDays(date.getUTCFullYear()).includes(utcDay(date))
}

/** The days on which TARGET, the payment system of the euro, is closed. */
function closingDays(year: number): readonly string[] {
  const easter = easterOf(year)
  return [
    `${year}-01-01`,
    utcDay(easter - 2 * dayMs),
    utcDay(easter + dayMs),
    `${year}-05-01`,
    `${year}-12-25`,
    `${year}-12-26`,
  ]
}

/** Easter Sunday by the Gregorian computus. */
function easterOf(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const moon = (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const full = moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + full + 2 - century + Math.floor(century / 4)) % 7
  const offset = full - weekday
  const month = 3 + Math.floor((offset + 40) / 44)
  const day = offset + 28 - 31 * Math.floor(month / 4)
  return Date.UTC(year, month - 1, day)
}
