/** Every example of the guides in the languages that take a second for each program. */
import { after, test } from 'node:test'
import { openShop } from '../../server/test/shop.ts'
import { isInstalled, runners } from '../samples/testing/run-program.ts'
import { shownSamples, tellStory } from '../samples/testing/sample-story.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

for (const language of ['python', 'go', 'java']) {
  const runner = runners[language]
  const skip = runner && isInstalled(runner) ? false : `Install it to run these: apt-get install ${runner?.package}`
  test(`examples of the guides, in ${language}`, { skip }, () => tellStory(shop, language, shownSamples()))
}
