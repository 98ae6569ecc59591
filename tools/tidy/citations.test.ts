import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Chapters, sectionsOf } from './chapters.ts'
import { citationsOf, deadCitations, deadDecisions } from './citations.ts'

const ten = `# 10 Cards

## 1. Transport

1. The body is a form.
2. Its names are unique.

### 1.1 Errors

| # | Check | Code |
|---|---|---|
| 7 | Parameters | 400 |

**Late outcome.** An outcome that comes after the end.

## 2. Actions

#### 2.1.9 Saved cards
`
const chapters: Chapters = new Map([
  ['10', { file: '10-cards.md', sections: sectionsOf(ten) }],
  ['20', { file: '20-brands.md', sections: sectionsOf('## 3. Kinds\n') }],
])

const dead = (text: string, path = 'server/src/one.ts'): readonly string[] => deadCitations(path, text, chapters)

describe('a citation that leads to a heading passes:', () => {
  const good = [
    '/** Chapter 10 §1. */',
    '/** chapter 10 §2.1.9 */',
    '/** Chapter 10 */',
    '/** Chapters 10 and 20. */',
    '/** Chapters 10, 20: both. */',
    '/** Chapter 10 §1, §1.1, §2 to §2.1.9. */',
    '/** Chapter 10 §1–§1.1, §1–2. */',
    '/** Chapter 10 §1, chapter 20 §3. */',
    '/** Chapters 10 §1, §2 and 20 §3. */',
    '/** The rules of chapter 10\n * §1.1 hold. */',
    '// The rules of chapter\n// 20 §3 hold.',
    '  // As chapter 20\n  // §3 says.',
    "test('chapter 10 §1.1 and §2 hold', run)",
    '/** Chapter 10 §1, rule 2. */',
    '/** Chapter 10 §1, rules 1 to 2, chapter 10 §1.1 row 7. */',
    '/** Chapter 10 §1, steps 1, 2 and 7. */',
    '/** Chapter 10 §1.1, "Late outcome", and "the end". */',
    '/** Chapter 10 §1 ("late\n * outcome"). */',
    '// RFC 2046 §5.1.1 and §5.2.',
    '// ISO/IEC 18004 §7.4, as chapter 20 §3 wants it.',
  ]
  for (const text of good) test(JSON.stringify(text), () => assert.deepEqual(dead(text), []))
})

describe('a citation that leads nowhere is named with its file, its line and what is missing:', () => {
  // biome-ignore format: a table is read in columns.
  const bad: readonly (readonly [text: string, complaint: string])[] = [
    ['/** Chapter 10 §3. */',                       '1: "§3": docs/spec/10-cards.md has no heading 3.'],
    ['/** Chapter 10 §2.1. */',                     '1: "§2.1": docs/spec/10-cards.md has no heading 2.1.'],
    ['\n\n/** Chapter 10 §1, §9. */',               '3: "§9": docs/spec/10-cards.md has no heading 9.'],
    ['/**\n * Chapter 10\n * §9 says so. */',       '3: "§9": docs/spec/10-cards.md has no heading 9.'],
    ['/** Chapter 10 §1 to §4. */',                 '1: "§4": docs/spec/10-cards.md has no heading 4.'],
    ['/** Chapter 10 §1–4. */',                     '1: "§1–4": docs/spec/10-cards.md has no heading 4.'],
    ['/** Chapter 10 §1, chapter 20 §1. */',        '1: "§1": docs/spec/20-brands.md has no heading 1.'],
    ['/** Chapters 10 §1 and 20 §1. */',            '1: "§1": docs/spec/20-brands.md has no heading 1.'],
    ['/** Chapter 90. */',                          '1: "Chapter 90": there is no chapter 90 in docs/spec.'],
    ['/** Chapters 10, 20 and 90. */',              '1: "and 90": there is no chapter 90 in docs/spec.'],
    ['// As RFC 2046 §5, and chapter 20 §5.',       '1: "§5": docs/spec/20-brands.md has no heading 5.'],
    ['/** Chapter 10 §1, rule 3. */',               '1: "§1, rule 3": docs/spec/10-cards.md §1 has no item or row 3.'],
    ['/** Chapter 10 §1, rules 1 to 4. */',         '1: "§1, rules 1 to 4": docs/spec/10-cards.md §1 has no item or row 4.'],
    ['/** Chapter 10 §2, "Late outcome". */',       '1: "§2, "Late outcome"": docs/spec/10-cards.md §2 does not say "Late outcome".'],
    ["test('chapter 10 §9', run)",                  '1: "§9": docs/spec/10-cards.md has no heading 9.'],
  ]
  for (const [text, complaint] of bad)
    test(JSON.stringify(text), () => assert.deepEqual(dead(text), [`server/src/one.ts:${complaint}`]))
})

describe('a section without a chapter', () => {
  const nameless = (text: string, path?: string) => dead(text, path).filter((line) => line.includes('names no chapter'))

  test('belongs to the chapter named before it in the same comment, and to no other', () => {
    assert.equal(nameless('/** §1. */').length, 1)
    assert.equal(nameless('/** §1 of chapter 10. */').length, 1)
    assert.equal(nameless('/** Chapter 10 §1. */\n/** §1. */').length, 1)
    assert.equal(nameless('// Chapter 10 §1.\nrun()\n// §1.').length, 1)
    assert.equal(nameless('const a = [\n  1, // Chapter 10 §1.\n  2, // §1.\n]').length, 1)
    assert.equal(nameless("f('chapter 10', '§1')").length, 1)
  })

  test('of a document belongs to the chapter named before it in the same paragraph, item or row', () => {
    assert.deepEqual(nameless('Chapter 10 §1 and\n§2.', 'docs/one.md'), [])
    assert.equal(nameless('Chapter 10 §1.\n\nAnd §2.', 'docs/one.md').length, 1)
    assert.equal(nameless('- Chapter 10 §1.\n- §2.', 'docs/one.md').length, 1)
    assert.equal(nameless('| Chapter 10 §1 |\n| §2 |', 'docs/one.md').length, 1)
  })

  test('of a migration belongs to the chapter named before it in the file, which can never be changed', () => {
    assert.deepEqual(nameless('-- Chapter 10 §1.\ncreate table a ();\n-- See §2.', 'one.sql'), [])
    assert.equal(nameless('create table a ();\n-- See §2.', 'one.sql').length, 1)
  })

  test('of a chapter is its own, and so is "section 3"', () => {
    assert.deepEqual(dead('As §3 says, and section 3.', 'docs/spec/20-brands.md'), [])
    assert.deepEqual(dead('See chapter 10 §1 and section 1.', 'docs/spec/20-brands.md'), [
      'docs/spec/20-brands.md:1: "section 1": docs/spec/20-brands.md has no heading 1.',
    ])
  })
})

test('a citation in the text of a page or in code is found as well', () => {
  assert.equal(dead('const a = <p>Chapter 10 §9</p>', 'web/one.tsx').length, 1)
  assert.equal(dead('/* Chapter 10 §9. */', 'web/one.css').length, 1)
})

test('what is cited is told part by part', () => {
  const cited = citationsOf('server/src/one.ts', '/** Chapter 10 §1, rules 1 and 2, "Late outcome". */')
  assert.deepEqual(cited, [
    { line: 1, said: 'Chapter 10', chapter: '10', section: null, numbers: [], names: [] },
    {
      line: 1,
      said: '§1, rules 1 and 2, "Late outcome"',
      chapter: '10',
      section: '1',
      numbers: ['1', '2'],
      names: ['Late outcome'],
    },
  ])
})

test('a decision is cited by page and heading, and both exist', () => {
  const plans = new Set(['one-statement-per-date'])
  const dead = (text: string, path = 'server/src/one.ts') =>
    deadDecisions(path, text, (page) => (page === 'plans' ? plans : null))
  assert.deepEqual(dead('// See decisions/plans#one-statement-per-date.\n// [Plans](../decisions/gone.md#gone)'), [])
  assert.deepEqual(dead('\n// decisions/plans#two-statements'), [
    'server/src/one.ts:2: "decisions/plans#two-statements": docs/decisions/plans.md has no heading #two-statements.',
  ])
  assert.deepEqual(dead('// decisions/schedules#dates'), [
    'server/src/one.ts:1: "decisions/schedules#dates": there is no docs/decisions/schedules.md.',
  ])
  assert.deepEqual(dead('/** Decision 0018. */'), [
    'server/src/one.ts:1: "Decision 0018": cite page and heading of docs/decisions.',
  ])
  assert.deepEqual(dead('-- Decision 0018.', 'server/src/store/migrations/0001_one.sql'), [])
})
