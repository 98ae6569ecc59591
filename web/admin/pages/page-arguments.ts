/** What a page receives from its address. */
import type { Params } from '../router/match.ts'

export interface PageArguments {
  /** The values of the path parameters. */
  readonly params: Params
}
