/** Reads a Dockerfile and runs its steps in roots of Debian. It knows the instructions that ours uses, and refuses others. */
import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root as project } from '../../tidy/source-files.ts'
import { runIn } from './debian-root.ts'

interface Step {
  readonly instruction: string
  readonly argument: string
}

interface Stage {
  readonly base: string
  readonly name: string
  readonly steps: readonly Step[]
}

/** What the image declares about its processes. */
interface Image {
  readonly root: string
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

export async function readDockerfile(): Promise<readonly Stage[]> {
  const lines = (await readFile(join(project, 'deploy/Dockerfile'), 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const stages: { base: string; name: string; steps: Step[] }[] = []
  for (const line of lines) {
    const [instruction = '', ...words] = line.split(' ')
    const argument = words.join(' ')
    const [base = '', , name = ''] = words
    if (instruction === 'FROM') stages.push({ base, name, steps: [] })
    else stages.at(-1)?.steps.push({ instruction, argument })
  }
  return stages
}

/** The command of the image's health check. */
export function healthCheckOf(stages: readonly Stage[]): readonly string[] {
  const step = stages.at(-1)?.steps.find(({ instruction }) => instruction === 'HEALTHCHECK')
  const [, command] = /^(?:--\S+ )*CMD (\[.*\])$/.exec(step?.argument ?? '') ?? []
  if (command === undefined) throw new Error('The Dockerfile has no health check that runs a command without a shell.')
  return JSON.parse(command)
}

/** `rootOf` makes the root of a base image. Returns the image of the last stage. */
export async function buildImage(stages: readonly Stage[], rootOf: (base: string) => Promise<string>): Promise<Image> {
  const built = new Map<string, string>()
  let image: Image | null = null
  for (const { base, name, steps } of stages) {
    const stage = { root: await rootOf(base), environment: {}, folder: '/', user: '0:0', entrypoint: [], command: [] }
    image = await steps.reduce(
      async (before: Promise<Image>, step) => runStep(await before, step, built),
      Promise.resolve(stage),
    )
    built.set(name, image.root)
  }
  if (image === null) throw new Error('The Dockerfile has no stage.')
  return image
}

async function runStep(
  image: Image,
  { instruction, argument }: Step,
  built: ReadonlyMap<string, string>,
): Promise<Image> {
  switch (instruction) {
    case 'WORKDIR':
      await mkdir(join(image.root, argument), { recursive: true })
      return { ...image, folder: argument }
    case 'COPY':
      await copy(image, argument, built)
      return image
    case 'RUN':
      await runIn(image.root, ['/bin/sh', '-c', argument], image)
      return image
    case 'ENV': {
      const [name = '', value = ''] = argument.split('=')
      return { ...image, environment: { ...image.environment, [name]: value } }
    }
    case 'USER':
      return { ...image, user: argument }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: JSON.parse(argument) }
    case 'CMD':
      return { ...image, command: JSON.parse(argument) }
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
    // A container engine runs it beside the process: `healthCheckOf` has its command.
    case 'HEALTHCHECK':
      return image
    default:
      throw new Error(`The test does not know the instruction ${instruction}.`)
  }
}

/** `COPY . .` takes the files of the project that git knows, as deploy/Dockerfile.dockerignore leaves them. */
async function copy({ root, folder }: Image, argument: string, built: ReadonlyMap<string, string>): Promise<void> {
  const [, stage, from = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(argument) ?? []
  const target = join(root, to.startsWith('/') ? to : join(folder, to))
  await mkdir(target, { recursive: true })
  const source = stage === undefined ? join(project, from) : join(built.get(stage) ?? '', from)
  const files = stage === undefined ? 'git ls-files -z --cached --others --exclude-standard' : 'find . -print0'
  const script = `cd "$1" && ${files} | tar --create --null --no-recursion --files-from=- | tar --extract --preserve-permissions --directory "$2"`
  await promisify(execFile)('sh', ['-c', script, 'sh', source, target])
}
