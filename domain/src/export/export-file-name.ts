/** Names an exported file, wherever it goes. The period is a day, a week or a month; for a file that a person asked for, the day. */
export const exportFileName = (kind: 'payments' | 'transactions', period: string): string => `${kind}-${period}.csv`
