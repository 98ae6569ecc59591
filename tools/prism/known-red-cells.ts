/** Red cells of the table that stay, with the reason: `'acquirer flow': 'because …'`. */
export const knownRedCells: Readonly<Record<string, string>> = {}
