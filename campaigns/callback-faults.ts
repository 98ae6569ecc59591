/** A fault that every campaign with callbacks must find. */
import type { PlantedFault } from './campaign.ts'

export const droppedOnError: PlantedFault = {
  what: 'a callback answered with 500 counts as delivered',
  seenIn: 'callbacks missing',
  patches: [
    {
      file: 'server/src/due/callbacks/callbacks.ts',
      find: 'const next = acknowledged ?',
      replace: 'const next = acknowledged || reply.httpStatus === 500 ?',
    },
  ],
}
