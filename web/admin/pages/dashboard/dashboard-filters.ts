/** What the dashboard can be narrowed down to; it stands in the address. */
import type { Filters } from '../../kit/form/use-filters.ts'

export type DashboardFilters = Filters<'merchantId' | 'from' | 'to' | 'currency'>
