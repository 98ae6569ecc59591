/** What a supervisor and its processes send each other over their channel. */
import { z } from 'zod'

const toMember = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    /** Over the channel and not in the environment, because it contains a password. */
    databaseUrl: z.string(),
    sandboxUrl: z.string().nullable(),
    network: z.string().nullable(),
    /** How many processes the supervisor starts: they share the memory of their container. */
    processes: z.number(),
    /** Where its sockets listen. */
    ports: z.object({ payments: z.number(), panel: z.number().nullable() }),
    sockets: z.object({ payments: z.array(z.number()), panel: z.array(z.number()) }),
  }),
  /** Send the metrics of this process. */
  z.object({ kind: z.literal('measure'), id: z.number() }),
  /** The metrics of all processes. */
  z.object({ kind: z.literal('measured'), id: z.number(), text: z.string() }),
])

const toSupervisor = z.discriminatedUnion('kind', [
  /** The program runs and waits for `start`. */
  z.object({ kind: z.literal('loaded') }),
  z.object({ kind: z.literal('ready'), payments: z.string(), panel: z.string().nullable() }),
  z.object({ kind: z.literal('measure all'), id: z.number() }),
  z.object({ kind: z.literal('measured'), id: z.number(), text: z.string() }),
])

export type ToMember = z.infer<typeof toMember>
export type ToSupervisor = z.infer<typeof toSupervisor>
export type MemberStart = Extract<ToMember, { readonly kind: 'start' }>
export type MemberReady = Extract<ToSupervisor, { readonly kind: 'ready' }>

/** Null for anything else, such as a message of a debugger. */
export const readToMember = (message: unknown): ToMember | null => toMember.safeParse(message).data ?? null
export const readToSupervisor = (message: unknown): ToSupervisor | null => toSupervisor.safeParse(message).data ?? null
