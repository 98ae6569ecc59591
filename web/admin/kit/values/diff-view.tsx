/** The differences of a change: every member that differs, before and after. */
import type { JSX } from 'preact'
import { differencesOf } from './differences.ts'

export function DiffView({ before, after }: { readonly before: unknown; readonly after: unknown }): JSX.Element {
  const differences = differencesOf(before, after)
  if (differences.length === 0) return <p class="faint">No differences.</p>
  return (
    <table class="diff">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((one) => (
          <tr key={one.path}>
            <th scope="row">{one.path === '' ? 'all' : one.path}</th>
            <td>{one.before === null ? <span class="faint">—</span> : <del>{one.before}</del>}</td>
            <td>{one.after === null ? <span class="faint">—</span> : <ins>{one.after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
