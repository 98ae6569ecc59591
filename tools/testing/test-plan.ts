/** The order of test files, and which of them share a process. */

/** Files that share a process. */
export interface Batch {
  readonly files: readonly string[]
  /** It leaves its CPU idle most of the time. */
  readonly waits: boolean
}

interface Kind {
  readonly seconds: number
  readonly waits: boolean
  readonly shares: boolean
}

const row = (begins: string | readonly string[], seconds: number, waits: boolean, shares: boolean) => ({
  begins: [begins].flat(),
  seconds,
  waits,
  shares,
})

/** They test parts of campaigns, and start nothing. */
const partsOfCampaigns = [
  'campaigns/arguments.test.ts',
  'campaigns/authz/foreign-requests.test.ts',
  'campaigns/canary/canary-search.test.ts',
  'campaigns/canary/canary.test.ts',
  'campaigns/evidence/evidence.test.ts',
  'campaigns/judge.test.ts',
  'campaigns/patch.test.ts',
  'campaigns/planted-faults.test.ts',
  'campaigns/schedules/plan-cases.test.ts',
  'campaigns/stage/',
  'campaigns/wallets/wallet-vectors.test.ts',
]

/** They build for merchants, or read what was built. */
const builds = ['tools/build-', 'tools/client/', 'tools/collections/', 'tools/connector-template/']

const deployments = ['deb', 'image', 'one-machine'].map((name) => `tools/package/${name}.full.test.ts`)

/** The longest begin first, so that nothing long is left at the end. */
// biome-ignore format: a table is read in columns.
const kinds: readonly (Kind & { readonly begins: readonly string[] })[] = [
  //  path begins with                              seconds   waits    shares a process
  row('server/test/browser/panel/panel-pages.test.ts',   80,  false,   false),
  row('server/test/browser/pages/checkout-states.test.ts', 60, false,  false),
  // They build and install what is deployed, in a root of Debian.
  row(deployments,                                      300,  false,   false),
  row('tools/site/examples.full.test.ts',               150,  false,   false),
  row('server/test/browser/pages/docs-pages.full.test.ts', 100, false, false),
  row('campaigns/releases/upgrade.full.test.ts',         45,  true,    false),
  row('campaigns/releases/previous-release.test.ts',     25,  false,   false),
  row('campaigns/crash/',                                45,  true,    false),
  row('campaigns/evidence/evidence.full.test.ts',        40,  true,    false),
  row(partsOfCampaigns,                                   2,  false,   true),
  // It listens to errors that no request catches.
  row('campaigns/input/fuzz.test.ts',                    10,  true,    false),
  row('campaigns/',                                      20,  true,    true),
  row('server/test/browser/panel/panel-merchants.test.ts', 40, false,  false),
  // They start shops as programs of their own.
  row('server/test/browser/pages/sample-shops',          20,  false,   false),
  row('server/test/browser/',                            20,  false,   true),
  row('server/test/flows/certainty/silence.test.ts',     35,  true,    false),
  row('server/test/flows/instance/slow-queue.test.ts',   30,  true,    false),
  row('server/test/instance/processes.test.ts',          30,  true,    false),
  row('server/test/instance/read-replica.test.ts',       10,  true,    false),
  row('server/test/flows/plans/schedule-worker.test.ts', 30,  false,   false),
  row('server/test/flows/plans/plan-dates.test.ts',      30,  false,   false),
  row('server/src/protocols/admin/api/matrix.test.ts',   30,  false,   false),
  // It judges every statement that its process knows, also those that tests of stores have made.
  row('server/src/store/database/distribution.test.ts',   3,  false,   false),
  row('tools/scaffold/created.full.test.ts',             25,  false,   false),
  row('tools/readme.test.ts',                            20,  false,   false),
  row('tools/site/',                                     20,  false,   false),
  row('tools/openapi/',                                  20,  false,   false),
  row('tools/new-connector.test.ts',                     15,  false,   false),
  row('tools/tidy.test.ts',                              10,  false,   false),
  // These two move the clock of the stand-ins, which all of a process share.
  row('server/test/acquirers/lost-requests.test.ts',      7,  false,   false),
  row('server/test/acquirers/stripe.test.ts',             2,  false,   false),
  row('server/test/',                                     2,  false,   true),
  row('server/',                                          1,  false,   true),
  row('cli/',                                             2,  false,   true),
  row('sandbox/',                                         1,  false,   true),
  row('domain/',                                        0.5,  false,   true),
  row('web/',                                           0.1,  false,   true),
  row('client/',                                          3,  false,   true),
  row(builds,                                             3,  false,   true),
  row('tools/docs/',                                      1,  false,   true),
  row('tools/package/',                                   1,  false,   true),
  row('tools/scaffold/',                                  1,  false,   true),
  row('tools/testing/',                                   1,  false,   true),
  row('tools/tidy/',                                      1,  false,   true),
  row('bench/',                                         0.5,  false,   true),
]

const usualLimitMs = 480_000
/** On a machine that does other work at the same time. */
const slowestTimes = 6

/** A hanging test should fail while the developer still waits for it; one that is known to be long gets more time. */
export const timeLimitMs = (file: string): number => Math.max(usualLimitMs, kindOf(file).seconds * slowestTimes * 1000)

/** For files that share a process. More would save little, and a file that hangs delays all that follow it. */
const togetherSeconds = 80

/** `alone` gives each file its own process. */
export function batchesOf(files: readonly string[], alone = false): readonly Batch[] {
  return [...Map.groupBy(files, kindOf)]
    .flatMap(([kind, alike]) => {
      const size = kind.shares && !alone ? sizeOf(alike.length, kind.seconds) : 1
      return chunksOf(alike, size).map((some) => ({
        files: some,
        waits: kind.waits,
        seconds: some.length * kind.seconds,
      }))
    })
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ files: together, waits }) => ({ files: together, waits }))
}

/** Batches of one kind have about the same size. */
function sizeOf(count: number, seconds: number): number {
  const batches = Math.ceil((count * seconds) / togetherSeconds)
  return Math.ceil(count / batches)
}

const chunksOf = (files: readonly string[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, index) => files.slice(index * size, (index + 1) * size))

const other: Kind = { seconds: 4, waits: false, shares: false }

function kindOf(file: string): Kind {
  return kinds.find(({ begins }) => begins.some((begin) => file.startsWith(begin))) ?? other
}
