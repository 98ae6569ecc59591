/** Shows its content only to users with the permission. The server checks again; this only hides useless buttons. */
import type { ComponentChildren, JSX } from 'preact'
import type { Permission } from '../api/api-types.ts'
import { may } from '../session/session.ts'

export function May(props: { readonly use: Permission; readonly children: ComponentChildren }): JSX.Element {
  return <>{may(props.use) ? props.children : null}</>
}
