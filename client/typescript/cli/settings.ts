/**
 * Where the instance is and who asks. Settings come from the environment or from files that it names, never from the command line, which
 * other users of the machine can read.
 */
import { readFileSync } from 'node:fs'
import { Gatehouse } from '../src/index.ts'
import { UsageError } from './usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export class Settings {
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  get baseUrl(): string {
    return this.required('GATEHOUSE_URL').replace(/\/+$/, '')
  }

  /** The panel of a live instance has an address of its own. */
  get adminUrl(): string {
    return (this.#read('GATEHOUSE_ADMIN_URL') ?? this.baseUrl).replace(/\/+$/, '')
  }

  merchant(): Gatehouse {
    const secret = this.#read('GATEHOUSE_WEBHOOK_SECRET')
    return new Gatehouse({
      baseUrl: this.baseUrl,
      key: this.required('GATEHOUSE_KEY'),
      password: this.required('GATEHOUSE_PASSWORD'),
      ...(secret !== undefined && { webhookSecrets: [secret] }),
    })
  }

  /** For commands that read the events feed, which needs no password. */
  receiver(): Gatehouse {
    return new Gatehouse({
      baseUrl: this.baseUrl,
      key: this.required('GATEHOUSE_KEY'),
      password: this.#read('GATEHOUSE_PASSWORD') ?? 'not needed',
      webhookSecrets: [this.required('GATEHOUSE_WEBHOOK_SECRET')],
    })
  }

  required(name: string): string {
    const value = this.#read(name)
    if (value === undefined) throw new UsageError(`Set ${name}, or ${name}_FILE to a file that has it.`)
    return value
  }

  #read(name: string): string | undefined {
    const value = this.#environment[name]
    if (value !== undefined && value !== '') return value
    const file = this.#environment[`${name}_FILE`]
    if (file === undefined || file === '') return undefined
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      throw new UsageError(`${name}_FILE names ${file}, which cannot be read.`)
    }
  }
}
