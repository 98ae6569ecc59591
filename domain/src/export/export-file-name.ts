/** What an exported file is called wherever it goes. The period is a day, a week or a month; of a file that a person asked for, the day. */
export const exportFileName = (kind: 'payments' | 'transactions', period: string): string => `${kind}-${period}.csv`
