/** What a page is given by the address it stands at. */
import type { Params } from '../router/match.ts'

export interface PageArguments {
  /** What stands in the places of the path's names. */
  readonly params: Params
}
