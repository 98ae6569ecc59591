/** Three machines in one: network namespaces, joined by a bridge that the campaign's own processes also reach. Needs root on Linux. */
import { execFileSync } from 'node:child_process'

/** Nothing else on this machine uses these names and this network; those of an aborted run are removed first. */
const bridge = 'gatehouse-ha'
const prefix = '10.213.77'

export const network = `${prefix}.0/24`
export const addressOf = (number: number): string => `${prefix}.${10 + number}`
const namespaceOf = (number: number): string => `${bridge}-${number}`

const cableOf = (number: number): string => `gh-ha-${number}`

const ip = (...words: readonly string[]): string => execFileSync('ip', words, { encoding: 'utf8', stdio: 'pipe' })

export function openNetwork(machines: readonly number[]): { close(): void } {
  const close = (): void => {
    for (const number of machines) removeMachine(number)
    ignoreMissing(() => ip('link', 'delete', bridge))
  }
  close()
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('address', 'add', `${prefix}.1/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  for (const number of machines) addMachine(number)
  return { close }
}

/** Its processes would keep its namespace and its cable. */
function removeMachine(number: number): void {
  ignoreMissing(() => {
    for (const pid of pidsOn(number)) process.kill(pid, 'SIGKILL')
  })
  ignoreMissing(() => ip('link', 'delete', cableOf(number)))
  ignoreMissing(() => ip('netns', 'delete', namespaceOf(number)))
}

function addMachine(number: number): void {
  const namespace = namespaceOf(number)
  const cable = cableOf(number)
  ip('netns', 'add', namespace)
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  ip('link', 'set', cable, 'master', bridge, 'up')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'address', 'add', `${addressOf(number)}/24`, 'dev', 'eth0')
  ip('-n', namespace, 'link', 'set', 'eth0', 'up')
}

/** The words that run a program on a machine. */
export const programOn = (number: number, program: readonly string[]): readonly string[] => [
  'ip',
  'netns',
  'exec',
  namespaceOf(number),
  ...program,
]

export function pidsOn(number: number): readonly number[] {
  return ip('netns', 'pids', namespaceOf(number)).split('\n').filter(Boolean).map(Number)
}

/** The machine is reached by the proxy, and by no other machine: the classic split. */
export function cutFromOthers(number: number, others: readonly number[]): void {
  for (const other of others) ip('-n', namespaceOf(number), 'route', 'replace', 'blackhole', `${addressOf(other)}/32`)
}

export function joinOthers(number: number, others: readonly number[]): void {
  for (const other of others)
    ignoreMissing(() => ip('-n', namespaceOf(number), 'route', 'delete', 'blackhole', `${addressOf(other)}/32`))
}

/** The cable is pulled: the machine reaches nothing, and nothing reaches it. */
export function setCable(number: number, state: 'up' | 'down'): void {
  ip('link', 'set', cableOf(number), state)
}

function ignoreMissing(remove: () => unknown): void {
  try {
    remove()
  } catch {
    // It was not there.
  }
}
