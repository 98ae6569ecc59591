import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRouter, type Handler } from './routes.ts'

const handlerNamed = (name: string): Handler =>
  Object.assign(async () => ({ status: 200, body: null }), { toString: () => name })

const router = createRouter([
  [
    ['GET /a/:id', handlerNamed('one')],
    ['POST /a', handlerNamed('make')],
  ],
  [
    ['GET /a/list', handlerNamed('list')],
    ['GET /b/:id/:key', handlerNamed('two')],
  ],
])

const findRoute = (method: string, path: string): string | undefined => {
  const route = router(method, path)
  return route && [String(route.run), ...route.parameters].join(' ')
}

// biome-ignore format: a table is read in columns.
const cases = [
  // method  path            finds
  [ 'POST',  '/a',           'make'     ],
  [ 'GET',   '/a/list',      'list'     ],
  [ 'GET',   '/a/7',         'one 7'    ],
  [ 'GET',   '/a/x%20y',     'one x y'  ],
  [ 'GET',   '/b/1/2',       'two 1 2'  ],
  [ 'GET',   '/b/1',         undefined  ],
  [ 'GET',   '/b/1/2/3',     undefined  ],
  [ 'GET',   '/a',           undefined  ],
  [ 'PUT',   '/a/7',         undefined  ],
  [ 'GET',   '/a/%zz',       undefined  ],
] as const

for (const [method, path, expected] of cases) {
  test(`${method} ${path} finds ${expected ?? 'nothing'}`, () => assert.equal(findRoute(method, path), expected))
}
