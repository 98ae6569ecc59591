/** The process in which a campaign meets its planted fault; started by `judge.ts`, to which it sends the findings. */
import { campaignOver } from './campaign.ts'
import { runPlanted } from './judge.ts'
import { campaigns } from './list.ts'

const [name, seed, ...standIns] = process.argv.slice(2)
const known = campaigns.find((one) => one.name === name)
const campaign = known && standIns.length > 0 ? campaignOver(known, standIns) : known
if (!campaign || seed === undefined) throw new Error('Only judge.ts starts this program.')

// The parent process has ended. At this signal the stage stops its programs and removes its folder.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

const findings = await runPlanted(campaign, Number(seed))
// Programs that a broken campaign left running must not keep the process alive.
process.send?.(findings, () => process.exit())
