/** Shows what needs a permission to those who have it. The server asks again; this only keeps useless buttons away. */
import type { ComponentChildren, JSX } from 'preact'
import type { Permission } from '../api/api-types.ts'
import { may } from '../session/session.ts'

export function May(props: { readonly use: Permission; readonly children: ComponentChildren }): JSX.Element {
  return <>{may(props.use) ? props.children : null}</>
}
