/** The caller's saved filters. They concern only the caller, so that changes of them are not in the audit log. */
import { z } from 'zod'
import { listFilters, removeFilter, saveFilter } from '../../../../../panel/reports/saved-filters.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, doneAnswer, doneOutput, emptyBody, id, textInput } from '../../values.ts'

const savedFilter = z.object({ id, page: z.string(), name: z.string(), filter: anything })

export const savedFilterEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/saved-filters',
    summary: 'Lists the caller’s saved filters.',
    access: 'signed-in',
    output: z.object({ filters: z.array(savedFilter).readonly() }),
    run: async (_, { context, user }) => ({ filters: await listFilters(context, user.id) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/saved-filters',
    summary: 'Saves a filter; an existing filter of the same name is replaced.',
    access: 'signed-in',
    body: z.strictObject({
      page: textInput(32),
      name: textInput(64),
      filter: z.record(z.string().max(64), z.string().max(255)),
    }),
    output: savedFilter,
    run: async ({ body }, { context, user }) => ({ answer: await saveFilter(context, user.id, body), audit: 'none' }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/saved-filters/:filterId',
    summary: 'Deletes a saved filter.',
    access: 'signed-in',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { filterId } }, { context, user }) => {
      await removeFilter(context, user.id, filterId)
      return { answer: doneAnswer, audit: 'none' }
    },
  }),
]
