/** All commands of `gatehouse wallet`; each has its own file. */
import type { Command } from '../../kit/command.ts'
import { walletChecks } from './wallet-checks.ts'
import { walletDomainCommands } from './wallet-domain.ts'
import { walletKeyCommands } from './wallet-key.ts'
import { walletMatrix } from './wallet-matrix.ts'
import { walletMint } from './wallet-mint.ts'
import { walletOpen } from './wallet-open.ts'
import { walletPlatformCommands } from './wallet-platform.ts'
import { walletSettingsCommands } from './wallet-settings.ts'
import { walletTaskCommands } from './wallet-tasks.ts'
import { walletWhy } from './wallet-why.ts'

export const walletCommands: readonly Command[] = [
  ...walletSettingsCommands,
  ...walletKeyCommands,
  ...walletDomainCommands,
  ...walletPlatformCommands,
  ...walletTaskCommands,
  walletMint,
  walletMatrix,
  walletOpen,
  walletChecks,
  walletWhy,
]
