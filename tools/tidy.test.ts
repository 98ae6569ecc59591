/**
 * The style of the project as tests: what a reviewer would otherwise have to remember. Every failure names the place and says what
 * to do instead. `npm run check` runs it.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, test } from 'node:test'
import { chaptersIn } from './tidy/chapters.ts'
import { circles } from './tidy/circles.ts'
import { citingFiles, deadCitations, deadDecisions } from './tidy/citations.ts'
import {
  describesCode,
  isRecipe,
  missingIdentifiers,
  missingNames,
  missingPaths,
  namesPaths,
} from './tidy/code-names.ts'
import { complaintsAboutCommit, recentCommits } from './tidy/commits.ts'
import { drawingFaults } from './tidy/drawing.ts'
import { doubledNames, namesakesImported, unusedExports } from './tidy/exports.ts'
import { crowdedFolders, idleExceptions, mostFiles, projectFiles } from './tidy/folders.ts'
import { complaintsAbout, headlessComments } from './tidy/forbidden.ts'
import { areaOf, importTable, mayImport, permits, within } from './tidy/import-table.ts'
import { anchorOf, anchorsOf, deadLinks, documents, linksOf, reachablePages } from './tidy/links.ts'
import { undeclaredBreaks } from './tidy/migrations.ts'
import { bannedNames } from './tidy/names.ts'
import { idleParameterExceptions, wideFunctions } from './tidy/parameters.ts'
import { complaintsAboutDocument, complaintsAboutTexts, deployedFiles } from './tidy/shown-texts.ts'
import { complaintsAboutSizes, lengthsOf, sentenceOf } from './tidy/sizes.ts'
import { isForTests, isTest, root, type SourceFile, sourceFile, sourceFiles } from './tidy/source-files.ts'
import { earlyImports } from './tidy/start-imports.ts'
import { openColumns } from './tidy/statements.ts'
import { misplacedTestFiles } from './tidy/test-only.ts'
import { untaggedUnions } from './tidy/unions.ts'
import { waitingNouns } from './tidy/verbs.ts'

const files = sourceFiles()
const paths = new Set(files.map(({ path }) => path))

function assertNone(complaints: readonly string[]): void {
  assert.ok(complaints.length === 0, `\n${complaints.join('\n')}\n`)
}

describe('imports', () => {
  test('every folder has its row in tools/tidy/import-table.ts', () => {
    assertNone(
      files.filter(({ path }) => areaOf(path) === null).map(({ path }) => `${path} is in no folder of the table.`),
    )
  })

  test('a file imports only what the table lets its folder import', () => {
    assertNone(
      files.flatMap(({ path, imports }) =>
        imports.flatMap(({ target, when, line }) =>
          target === null || isFreeTest(path) || mayImport(path, target, when)
            ? []
            : [`${path}:${line}: ${areaOf(path)} may not import ${when === 'types' ? 'types of ' : ''}${target}.`],
        ),
      ),
    )
  })

  test('every row of the table is needed by an import', () => {
    const imports = files.flatMap(({ path, imports: own }) =>
      own.flatMap(({ target, when }) => (target === null ? [] : [{ area: areaOf(path), target, when }])),
    )
    assertNone(
      importTable
        .filter(({ from, to }) => from !== to)
        .filter((rule) => !imports.some(({ area, target, when }) => area === rule.from && permits(rule, target, when)))
        .map(({ from, to }) => `${from} imports nothing of ${to}: take the row out.`),
    )
  })

  test('an import names a file that exists, with its ending', () => {
    assertNone(
      files.flatMap(({ path, imports }) =>
        imports.flatMap(({ target, specifier, line }) =>
          target === null || paths.has(target) || target.endsWith('.json')
            ? []
            : [`${path}:${line}: there is no ${specifier}.`],
        ),
      ),
    )
  })

  test('between the top folders an import goes by name, not by ../..', () => {
    assertNone(
      files.flatMap(({ path, imports }) =>
        imports.flatMap(({ target, specifier, line }) =>
          specifier.startsWith('.') &&
          target !== null &&
          /^(?:domain|server\/src|sandbox)\//.test(target) &&
          topOf(target) !== topOf(path)
            ? [`${path}:${line}: write ${namedOf(target)} instead of ${specifier}.`]
            : [],
        ),
      ),
    )
  })

  test('no two files need each other, not even for their types', () => {
    assertNone(circles(files).map((circle) => `${circle.join(' → ')}.`))
  })

  test('every file is imported by another one, or is a program or a test', () => {
    const imported = new Set(files.flatMap((file) => file.imports.map(({ target }) => target)))
    assertNone(
      files
        .filter(({ path }) => !imported.has(path) && !isTest(path) && !isProgram(path))
        .map(({ path }) => `${path} is imported by no file: use it or remove it.`),
    )
  })

  test('what only tests use is in testing/ or named x.example.ts, and production code does not import it', () =>
    assertNone(misplacedTestFiles(files)))

  test('a name is exported only if another file imports it', () => assertNone(unusedExports(files)))

  test('a name is exported once within a room, and no file imports two things of one name', () =>
    assertNone([...doubledNames(files), ...namesakesImported(files)]))

  test('a starting process loads nothing large that payments do not need', () => assertNone(earlyImports(files)))

  test('every package that is imported is declared, for production or for development', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
    const production = new Set(Object.keys(dependencies))
    const development = new Set([...production, ...Object.keys(devDependencies)])
    assertNone(
      files.flatMap(({ path, imports }) =>
        imports
          .filter(({ target, specifier }) => target === null && !specifier.startsWith('node:'))
          .filter(({ specifier }) => !(isForDevelopers(path) ? development : production).has(packageOf(specifier)))
          .map(({ specifier, line }) => `${path}:${line}: ${specifier} is not among the dependencies it may use.`),
      ),
    )
  })
})

describe('the domain is pure', () => {
  const domain = files.filter(({ path }) => within(path, 'domain/src') && !isTest(path))

  test('it imports nothing but itself, and node:crypto for signatures', () => {
    assertNone(
      domain.flatMap(({ path, imports }) =>
        imports
          .filter(
            ({ target, specifier }) =>
              target === null && !(within(path, 'domain/src/signature') && specifier === 'node:crypto'),
          )
          .map(({ specifier, line }) => `${path}:${line}: the domain does not import ${specifier}.`),
      ),
    )
  })

  test('it asks neither the machine nor the network', () => {
    const world = /\b(?:process|setTimeout|setInterval|setImmediate|fetch|performance|navigator)\b(?!\s*:)/
    assertNone(
      domain.flatMap(({ path, code }) =>
        code.split('\n').flatMap((line, index) => {
          const [word] = world.exec(line) ?? []
          return word
            ? [`${path}:${index + 1}: ${word}; time and whatever else comes from outside is an argument.`]
            : []
        }),
      ),
    )
  })
})

test('nothing forbidden is said', () => assertNone(files.flatMap(complaintsAbout)))

test('texts that people see use the trade’s words', () => {
  assertNone(files.flatMap(complaintsAboutTexts))
  const read = [...documents(), ...deployedFiles()]
  assertNone(read.flatMap((path) => complaintsAboutDocument(path, readFileSync(`${root}${path}`, 'utf8'))))
  const shown = (text: string) => complaintsAboutTexts(sourceFile('web/admin/pages/one.tsx', text)).length
  assert.equal(shown("const title = 'Outcomes that nobody knows'"), 1)
  for (const words of ['Look at it', 'Dealt with', 'Captured by itself', 'Month before', 'Things at risk'])
    assert.equal(shown(`const title = '${words}'`), 1, words)
  for (const words of ['The body is no webhook.', 'The merchant is told by mail.'])
    assert.equal(shown(`const title = '${words}'`), 1, words)
  for (const words of ['There is no draft.', 'The link is no longer open.'])
    assert.equal(shown(`const title = '${words}'`), 0, words)
  assert.equal(shown('<p>\n  Somebody else has to agree.\n</p>'), 1)
  assert.equal(shown('// What nobody has saved yet.\nconst title = "Draft"'), 0)
  for (const path of [
    'cli/commands/one.ts',
    'sandbox/shop/one.ts',
    'server/src/payments/one.ts',
    'server/src/mail/one.ts',
  ])
    assert.equal(complaintsAboutTexts(sourceFile(path, "fail('It was put off.')")).length, 1, path)
  for (const [path, text, complaints] of [
    ['docs/operations/panel.md', 'Meanwhile nobody else can approve it.', 1],
    ['docs/guide/refunds.md', 'The merchant is told by mail.', 1],
    ['docs/decisions/plans.md', 'Then nobody sees it.', 1],
    ['docs/spec/20-s2s-apm.md', 'Then nobody sees it.', 0],
    ['deploy/ha/etcd.yaml', '# Whoever reaches these ports can run programs.', 1],
    ['docs/operations/panel.md', 'The audit log names `nobody`.\n\n```sh\nsu nobody\n```\n\n[One](nobody.md)', 0],
  ] as const)
    assert.equal(complaintsAboutDocument(path, text).length, complaints, text)
})

describe('declarations', () => {
  test('use the trade’s words', () => assertNone(files.flatMap(bannedNames).map(([, complaint]) => complaint)))

  test('of functions that wait begin with a verb, and so do the methods of ports, stores and commands', () =>
    assertNone(files.flatMap(waitingNouns)))

  test('of functions have at most four parameters', () => {
    assertNone(files.flatMap(wideFunctions))
    assertNone(idleParameterExceptions(files))
  })

  test('of unions have a literal tag', () => assertNone(files.flatMap(untaggedUnions)))
})

test('a comment above a function says what the function does', () => assertNone(files.flatMap(headlessComments)))

test('commits since the last release say what changed, within 72 characters, and none is a merge', (t) => {
  const commits = recentCommits(root)
  if (commits === null) return t.skip('there is no history here')
  assertNone(commits.flatMap(complaintsAboutCommit))
})

test('statements name their columns, so that a migration can add one while they are used', () =>
  assertNone(files.flatMap(openColumns)))

describe('files', () => {
  test('most are read at a glance, and none is longer than 300 lines unless it is a table', (t) => {
    t.diagnostic(sentenceOf(lengthsOf(files)))
    assertNone(complaintsAboutSizes(files))
  })

  test(`a folder has at most ${mostFiles} files, unless they are all alike`, () => {
    assertNone([...crowdedFolders(projectFiles()), ...idleExceptions(projectFiles())])
  })

  test('a file is named after what it holds, in lower case with hyphens', () => {
    const drawers = /^(?:utils?|helpers?|commons?|misc|managers?|base|lib|shared|stuff)$/
    assertNone(
      files.flatMap(({ path }) => {
        const parts = path.split('/')
        const names = [
          ...parts.slice(0, -1),
          basename(path).replace(/(?:\.(?:test|full|sim|fuzz))*\.(?:tsx?|mjs)$/, ''),
        ]
        return [
          ...names
            .filter((name) => drawers.test(name))
            .map((name) => `${path}: ${name} says nothing about what is inside.`),
          ...names
            .filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
            .map((name) => `${path}: ${name} is not lower case with hyphens.`),
        ]
      }),
    )
  })
})

describe('migrations', () => {
  const migrations = globSync('server/src/store/migrations/*.sql', { cwd: root }).toSorted()

  test('are numbered without gaps', () => {
    assert.deepEqual(
      migrations.map((path) => basename(path).slice(0, 5)),
      migrations.map((_, index) => `${String(index + 1).padStart(4, '0')}_`),
    )
  })

  test('begin by saying why, and after the first also whether they are safe beside the previous release', () => {
    assertNone(
      migrations.flatMap((path, index) => {
        const [leading = ''] = /^(?:--.*\n)+/.exec(readFileSync(`${root}${path}`, 'utf8')) ?? []
        if (leading === '') return [`${path} begins without a comment.`]
        return index === 0 || /previous release/.test(leading) ? [] : [`${path} does not mention the previous release.`]
      }),
    )
  })
})

describe('migrations and the program that serves meanwhile', () => {
  test('one that takes something away says which programs bear it', () => {
    const paths = globSync('server/src/store/migrations/*.sql', { cwd: root }).toSorted()
    assertNone(paths.flatMap((path) => undeclaredBreaks(path, readFileSync(`${root}${path}`, 'utf8'))))
  })
})

describe('documents', () => {
  test('have no dead links', () => assertNone(documents().flatMap(deadLinks)))

  test('for engineers name only files and functions that exist', () => {
    const code = { paths: projectFiles(), text: files.map(({ text }) => text).join('\n') }
    assertNone(
      documents()
        .filter(describesCode)
        .flatMap((path) => missingNames(path, readFileSync(`${root}${path}`, 'utf8'), code)),
    )
  })

  test('of the recipes name only identifiers that the code has', () => {
    const identifiers = new Set(files.flatMap(({ code }) => code.match(/[A-Za-z_$][\w$]*/g) ?? []))
    assertNone(
      documents()
        .filter(isRecipe)
        .flatMap((path) => missingIdentifiers(path, readFileSync(`${root}${path}`, 'utf8'), identifiers)),
    )
  })

  test('ARCHITECTURE draws every folder of server/src, two levels deep', () =>
    assertNone(drawingFaults(readFileSync(`${root}ARCHITECTURE.md`, 'utf8'), projectFiles())))

  test('name only paths that exist, such as the evidence of pci.md and threats.md', () =>
    assertNone(
      documents()
        .filter(namesPaths)
        .flatMap((path) =>
          missingPaths(path, readFileSync(`${root}${path}`, 'utf8'), (named) => existsSync(`${root}${named}`)),
        ),
    ))

  test('every page of docs/ can be reached from docs/README.md', () => {
    const reached = reachablePages('docs/README.md', (path) => readFileSync(`${root}${path}`, 'utf8'))
    const pages = globSync(['docs/**/*.md', 'docs/**/*.json'], { cwd: root })
    assertNone(
      pages
        .filter((path) => !reached.has(path))
        .map((path) => `${path} is linked from no page: add it to docs/README.md.`),
    )
  })

  test('the README fits on one screen', () => {
    const lines = readFileSync(`${root}README.md`, 'utf8').trimEnd().split('\n').length
    assert.ok(lines <= 60, `README.md has ${lines} lines: move what is not needed for the first payment to docs/.`)
  })

  test('citations of chapters lead to a heading of docs/spec', () => {
    const chapters = chaptersIn(`${root}docs/spec`)
    assertNone(citingFiles().flatMap((path) => deadCitations(path, readFileSync(`${root}${path}`, 'utf8'), chapters)))
  })

  test('leave no mark for later', () => {
    assertNone(
      documents().flatMap((path) =>
        complaintsAbout(sourceFile(path, readFileSync(`${root}${path}`, 'utf8'))).filter((line) =>
          line.includes('mark for later'),
        ),
      ),
    )
  })

  test('citations of decisions lead to a page and a heading of docs/decisions', () => {
    const pages = new Map(
      globSync('docs/decisions/*.md', { cwd: root }).map((path) => [basename(path, '.md'), anchorsOf(path)]),
    )
    assertNone(
      citingFiles().flatMap((path) =>
        deadDecisions(path, readFileSync(`${root}${path}`, 'utf8'), (page) => pages.get(page) ?? null),
      ),
    )
  })
})

// A check that never fails is none: each is shown something it must refuse.
describe('the checks themselves', () => {
  test('see a forbidden import', () => {
    assert.equal(mayImport('domain/src/money/money.ts', 'server/src/contracts/ports.ts', 'types'), false)
    assert.equal(mayImport('sandbox/acquirer/book.ts', 'server/src/contracts/json.ts', 'types'), false)
    assert.equal(mayImport('server/src/payments/outcome/perform.ts', 'server/src/contracts/ports.ts', 'loading'), false)
    assert.equal(mayImport('server/src/payments/outcome/perform.ts', 'server/src/contracts/ports.ts', 'types'), true)
    assert.equal(mayImport('server/src/store/payments/payments.ts', 'server/src/payments/index.ts', 'types'), false)
  })

  test('see an import that goes back up inside payments/', () => {
    const folders = ['sessions', 'commands', 'attempt', 'outcome', 'routing', 'exchange'].map(
      (folder) => `server/src/payments/${folder}/one.ts`,
    )
    for (const [index, upper] of folders.entries())
      for (const lower of folders.slice(index + 1)) {
        assert.equal(mayImport(upper, lower, 'loading'), true, `${upper} → ${lower}`)
        assert.equal(mayImport(lower, upper, 'types'), false, `${lower} → ${upper}`)
      }
    assert.equal(mayImport('server/src/payments/outcome/one.ts', 'server/src/payments/methods/one.ts', 'types'), false)
    assert.equal(mayImport('server/src/payments/methods/one.ts', 'server/src/payments/outcome/one.ts', 'types'), false)
  })

  test('see a folder with too many files, and do not count tests beside their source', () => {
    const many = Array.from({ length: mostFiles }, (_, index) => `web/kit/part-${index}.ts`)
    assert.deepEqual(crowdedFolders([...many, 'web/kit/part-0.test.ts']), [])
    assert.equal(crowdedFolders([...many, 'web/kit/other.test.ts']).length, 1)
    assert.equal(idleExceptions(many).length > 0, true)
  })

  test('see a circle, also one of types alone', () => {
    const one = sourceFile('domain/src/one.ts', "import { two } from './two.ts'")
    const two = (how: string) => sourceFile('domain/src/two.ts', `import ${how}{ one } from './one.ts'`)
    assert.deepEqual(circles([one, two('')]), [['domain/src/one.ts', 'domain/src/two.ts', 'domain/src/one.ts']])
    assert.deepEqual(circles([one, two('type ')]), [['domain/src/one.ts', 'domain/src/two.ts', 'domain/src/one.ts']])
  })

  test('see a file that only tests use, also by way of another, and production code that imports one', () => {
    const one = sourceFile('domain/src/one.ts', '')
    const sample = sourceFile('domain/src/sample.ts', "import { one } from './one.ts'")
    const tested = sourceFile('domain/src/one.test.ts', "import { sample } from './sample.ts'")
    const user = sourceFile('domain/src/user.ts', "import { one } from './one.ts'")
    assert.equal(misplacedTestFiles([one, sample, tested]).length, 2)
    assert.equal(misplacedTestFiles([one, sample, tested, user]).length, 1)
    const moved = sourceFile('domain/src/testing/sample.ts', '')
    const careless = sourceFile('domain/src/careless.ts', "import { sample } from './testing/sample.ts'")
    assert.equal(misplacedTestFiles([moved, tested]).length, 0)
    assert.equal(misplacedTestFiles([moved, careless]).length, 1)
  })

  test('see forbidden words in code, and not in comments or quotes', () => {
    const complaints = (code: string) => complaintsAbout(sourceFile('server/src/due/one.ts', code)).length
    const bad = [
      'Date.now()',
      'new Date()',
      'Math.random()',
      'process.env.HOME',
      'console.log(1)',
      'let a: any',
      'b as any',
      'test.only(c)',
    ]
    for (const code of bad) {
      assert.equal(complaints(code), 1, code)
      assert.equal(complaints(`// ${code}`), 0, code)
      assert.equal(complaints(`f('${code}')`), 0, code)
    }
    assert.equal(complaints('new Date(0)\nconst any = 1\nf({ any: 1 })'), 0)
    assert.equal(complaints(`// ${['TO', 'DO'].join('')}: later`), 1)
  })

  test('see a message of the JSON parser that is printed', () => {
    const complaints = (caught: string, path = 'cli/one.ts') =>
      complaintsAbout(sourceFile(path, `try {\n  return JSON.parse(text)\n} ${caught}`)).length
    assert.equal(complaints('catch (error) {\n  fail(error instanceof Error ? error.message : 0)\n}'), 1)
    assert.equal(complaints('catch (error) {\n  fail(String(error))\n}'), 1)
    assert.equal(complaints('catch (error) {\n  fail(String(error))\n}', 'web/admin/one.tsx'), 1)
    assert.equal(complaints('catch (error) {\n  fail(`No: $' + '{error}`)\n}'), 1)
    assert.equal(complaints('catch (error) {\n  fail(String(error))\n}', 'cli/one.test.ts'), 0)
    assert.equal(complaints('catch {\n  fail()\n}'), 0)
    assert.equal(complaints('catch (error) {\n  throw error\n}\nfail(error.message)'), 0)
  })

  test('see statements that leave their columns to the table', () => {
    const complaints = (text: string, path = 'server/src/store/one.ts') =>
      openColumns(sourceFile(path, `const text = \`${text}\``)).length
    const bad = [
      'select * from payments',
      'select\n  * from payments',
      'select distinct * from payments',
      'select p.* from payments p',
      'select p.id, p.* from payments p',
      'delete from payments returning *',
      'update payments p set version = 1 returning p.*',
      'insert into payments values ($1)',
      'insert into payments as p select $1',
    ]
    for (const text of bad) assert.equal(complaints(text), 1, text)
    assert.equal(complaints('select * from payments', 'server/src/store/one.test.ts'), 0)
    const good = [
      'select count(*) from payments',
      'select id, 2 * 3 from payments',
      'insert into payments (id) values ($1)',
      'insert into payments (id) select $1',
    ]
    for (const text of good) assert.equal(complaints(text), 0, text)
  })

  test('see migrations that break the program before and do not say so', () => {
    const complaints = (text: string, path = 'migrations/0021_one.sql') => undeclaredBreaks(path, text).length
    const bad = [
      'alter table payments drop column channel;',
      'drop table payments;',
      'alter table payments rename channel to way;',
      'alter table payments alter column attempt type bigint;',
      'alter table payments alter attempt set not null;',
      'alter table payments alter attempt drop default;',
      'alter table payments add column seen boolean not null;',
      'alter table payments add constraint small check (attempt < 9);',
      'create unique index one on payments (order_id);',
    ]
    for (const text of bad) {
      assert.equal(complaints(text), 1, text)
      assert.equal(complaints(`-- Why.\n-- oldest program: 0020\n${text}`), 0, text)
      assert.equal(complaints(text, 'migrations/0020_one.sql'), 0, text)
    }
    const good = [
      'alter table payments add column seen boolean;',
      'alter table payments add column seen boolean not null default false, add column by text;',
      'create table seen (id uuid primary key, by text not null); create unique index one on seen (by);',
      'create index concurrently if not exists one on payments (order_id);',
      '-- It does not drop table payments;\ncreate table seen ();',
    ]
    for (const text of good) assert.equal(complaints(text), 0, text)
  })

  test('see a folder that is not drawn, and one that is drawn and does not exist', () => {
    const faults = (...lines: readonly string[]) =>
      drawingFaults(`### \`server/src/\`\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`, [
        'server/src/main.ts',
        'server/src/due/exports/run.ts',
        'server/src/store/plans/plans.ts',
        'server/src/store/plans/old/plans.ts',
        'server/src/vault/testing/one.ts',
        'server/src/connectors/adyen/index.ts',
      ])
    const store = ['  store/   PostgreSQL', '    plans/']
    assert.deepEqual(faults('  due/   jobs · exports/   connectors/  vault/', ...store), [])
    assert.equal(faults('  due/   jobs   connectors/  vault/', ...store).length, 1, 'exports/ is missing')
    assert.equal(faults('  due/   jobs · exports/   connectors/  vault/', '  store/ ', '  kit/').length, 2)
    assert.equal(faults('  due/   jobs · exports/ plans/   connectors/  vault/', '  store/ ').length, 1, 'elsewhere')
  })

  test('see links', () => {
    assert.deepEqual(linksOf('[a](b.md) `[c](d.md)` [e](https://f.example) [g](#h)\n```\n[i](j)\n```\n'), [
      'b.md',
      '#h',
    ])
    const pages: Readonly<Record<string, string>> = {
      'docs/README.md': '[a](one/a.md) [gone](gone.md)',
      'docs/one/a.md': '[b](../b.md#part)',
      'docs/b.md': '[home](README.md)',
      'docs/orphan.md': '[a](one/a.md)',
    }
    assert.deepEqual([...reachablePages('docs/README.md', (path) => pages[path] ?? '')].toSorted(), [
      'docs/README.md',
      'docs/b.md',
      'docs/gone.md',
      'docs/one/a.md',
    ])
    assert.equal(anchorOf('What it costs: a table, &3 (`x-y`)'), 'what-it-costs-a-table-3-x-y')
  })
})

/** Tests bring parts together; those of the domain and of the sandbox keep to themselves all the same. */
function isFreeTest(path: string): boolean {
  return (isTest(path) || isForTests(path)) && !within(path, 'domain') && !within(path, 'sandbox')
}

const topOf = (path: string): string => path.split('/', 1)[0] ?? ''

const namedOf = (target: string): string =>
  `#${topOf(target)}/${target.replace(/^(?:domain|server)\/src\/|^sandbox\//, '')}`

/** Started or loaded by its path, which then stands in quotes in another file, and not in an import. */
function isProgram(path: string): boolean {
  const named = new RegExp(`[/'"\`]${basename(path).replace('.', '\\.')}['"\`?]`)
  return (
    ['tools/run.mjs', 'tools/connector-template/index.ts'].includes(path) ||
    files.some((file) => file.path !== path && named.test(withoutImports(file)))
  )
}

function withoutImports({ text, imports }: SourceFile): string {
  return imports.reduce((rest, { specifier }) => rest.replaceAll(`'${specifier}'`, ''), text)
}

const isForDevelopers = (path: string): boolean =>
  isTest(path) || isForTests(path) || /^(?:tools|bench|campaigns|server\/test|cli\/test)\//.test(path)

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
