/** The properties of an object as names and values. */
import type { ComponentChildren, JSX } from 'preact'

/** Null, undefined and empty values show a dash; `false` omits the row. */
export type KeyValue = readonly [name: string, value: ComponentChildren] | false

export function KeyValues({ rows }: { readonly rows: readonly KeyValue[] }): JSX.Element {
  return (
    <dl class="key-values">
      {rows.flatMap((row) =>
        row === false
          ? []
          : [
              <div key={row[0]}>
                <dt>{row[0]}</dt>
                <dd>{isNothing(row[1]) ? <span class="faint">—</span> : row[1]}</dd>
              </div>,
            ],
      )}
    </dl>
  )
}

const isNothing = (value: ComponentChildren): boolean => value === null || value === undefined || value === ''
