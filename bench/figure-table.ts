/** The table of figures. Only ratios have goals, because absolute figures differ from machine to machine. */
export interface Figure {
  readonly name: string
  readonly value: string
  readonly against?: string
  readonly ratio?: number
  readonly goal?: Goal
}

export interface Goal {
  readonly at: 'least' | 'most'
  readonly ratio: number
  /** Replaces the ratio's notation, as `≥ 0.25`, if the figure is an absolute amount. */
  readonly unit?: string
}

const columns = ['figure', 'value', 'against', 'ratio', 'goal', 'met'] as const

export const isMet = ({ ratio, goal }: Figure): boolean | null => {
  if (ratio === undefined || goal === undefined) return null
  return goal.at === 'least' ? ratio >= goal.ratio : ratio <= goal.ratio
}

export function formatFigures(figures: readonly Figure[]): string {
  const rows = [columns, ...figures.map(cells)]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(figure: Figure): readonly string[] {
  const { name, value, against = '', ratio, goal } = figure
  const met = isMet(figure)
  return [
    name,
    value,
    against,
    ratio === undefined ? '' : ratio.toFixed(2),
    goal ? `${goal.at === 'least' ? '≥' : '≤'} ${goal.ratio}${goal.unit ?? ''}` : '',
    met === null ? '' : met ? 'yes' : 'no',
  ]
}
