/** The table of figures. Only ratios have goals, because absolute figures differ from machine to machine. */
export interface Figure {
  readonly name: string
  readonly value: string
  /** The least and the most of all rounds. */
  readonly range?: string
  readonly against?: string
  readonly ratio?: number
  readonly ratioRange?: string
  readonly goal?: Goal
}

export interface Goal {
  readonly at: 'least' | 'most'
  readonly ratio: number
  /** Replaces the ratio's notation, as `≥ 0.25`, if the figure is an absolute amount. */
  readonly unit?: string
}

const columns = ['figure', 'value', 'range', 'against', 'ratio', 'range', 'goal', 'met'] as const

export const isMet = ({ ratio, goal }: Figure): boolean | null => {
  if (ratio === undefined || goal === undefined) return null
  return goal.at === 'least' ? ratio >= goal.ratio : ratio <= goal.ratio
}

/** A column in which nothing stands is left out. */
export function formatFigures(figures: readonly Figure[]): string {
  const body = figures.map(cells)
  const used = columns.map((_, column) => body.some((row) => row[column] !== ''))
  const rows = [columns, ...body].map((row) => row.filter((_, column) => used[column]))
  const widths = used.filter(Boolean).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
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
  const { name, value, range = '', against = '', ratio, ratioRange = '', goal } = figure
  const met = isMet(figure)
  return [
    name,
    value,
    range,
    against,
    ratio === undefined ? '' : ratio.toFixed(2),
    ratioRange,
    goal ? `${goal.at === 'least' ? '≥' : '≤'} ${goal.ratio}${goal.unit ?? ''}` : '',
    met === null ? '' : met ? 'yes' : 'no',
  ]
}
