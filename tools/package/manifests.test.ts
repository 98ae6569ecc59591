/** Manifests, units and the package: everything they name exists, and they have the form that their readers require. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, test } from 'node:test'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { CronJob, Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { type Document, parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { programs } from '#server/process/programs/program-file.ts'
import { settings } from '#server/process/settings.ts'
import { root } from '../tidy/source-files.ts'
import { fingerprintLine } from './chart.ts'
import { debFiles } from './deb-files.ts'
import { programFiles } from './program-files.ts'
import { unitDirectives } from './testing/unit-directives.ts'

const readText = (path: string): string => readFileSync(join(root, path), 'utf8')
/** Those of Node and of the C library are not ours. */
const foreign = ['NODE_ENV', 'MALLOC_ARENA_MAX']
const isSetting = (name: string): boolean => name in settings || foreign.includes(name)
const shipped = new Set([...programFiles(), ...Object.keys(programs).map((name) => `programs/${name}.mjs`)])

function assertSettings(names: readonly string[], where: string): void {
  assert.deepEqual(
    names.filter((name) => !isSetting(name)),
    [],
    `${where} names settings that do not exist`,
  )
}

describe('a release', () => {
  test('contains the programs, migrations, browser files and licence, and no tests', () => {
    for (const path of [
      'server/src/main.ts',
      'cli/main.ts',
      'sandbox/all/main.ts',
      'LICENSE',
      'deploy/container/health-check.mjs',
    ])
      assert.ok(shipped.has(path), path)
    const migrations = globSync('server/src/store/migrations/*.sql', { cwd: root })
    assert.ok(migrations.length > 30 && migrations.every((path) => shipped.has(path)))
    assert.deepEqual(
      [...shipped].filter((path) => /\.test\.|\/testing\/|\/fixtures\//.test(path)),
      [],
    )
  })

  test('runs with the same limits of its memory however it is started', () => {
    const limits = [/--max-semi-space-size=8\b/, /--heap-growing-percent=50\b/, /MALLOC_ARENA_MAX\W+1\b/]
    for (const path of [
      'deploy/Dockerfile',
      'deploy/systemd/gatehouse-api.service',
      'deploy/systemd/gatehouse-worker.service',
      'tools/run.mjs',
      'campaigns/stage/program.ts',
    ]) {
      for (const limit of limits) assert.match(readText(path), limit, `${path} starts Node without it`)
    }
  })

  test('leaves no core file, in which keys and card numbers would be', { skip: noCoreFiles() }, () => {
    const units = globSync('deploy/systemd/*.service', { cwd: root })
    assert.ok(units.length >= 4)
    for (const unit of units) assert.match(readText(unit), /^LimitCORE=0$/m, unit)
    const [, line = ''] = /^ENTRYPOINT (.*)$/m.exec(readText('deploy/Dockerfile')) ?? []
    const entrypoint = z.array(z.string()).parse(JSON.parse(line))
    const words = entrypoint.map((word) => (word.endsWith('/node') ? process.execPath : word))
    const limits = `process.stdout.write(fs.readFileSync('/proc/self/limits', 'utf8').match(/^Max core file size.*/m)[0])`
    // The soft limit is raised first, which on most machines is 0 already.
    const raised = ['-c', 'ulimit -S -c unlimited && exec "$@"', 'sh', ...words, '-e', limits]
    assert.match(execFileSync('/bin/sh', raised, { encoding: 'utf8' }), /^Max core file size +0 +0 /)
  })

  test('contains every file that its sources import', () => {
    const missing = [...shipped]
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) =>
        [...readText(path).matchAll(/(?:from|import\()\s*'(\.[^']+|#(?:domain|server|sandbox)\/[^']+)'/g)].map(
          ([, name = '']) =>
            name.startsWith('.')
              ? posix.join(posix.dirname(path), name)
              : name
                  .replace(/^#domain/, 'domain/src')
                  .replace(/^#server/, 'server/src')
                  .replace(/^#sandbox/, 'sandbox'),
        ),
      )
      .filter((target) => /\.(?:ts|json)$/.test(target) && existsSync(join(root, target)) && !shipped.has(target))
    assert.deepEqual([...new Set(missing)], [])
  })
})

test('the lock file has the integrity of every package, and none in a release wants to run a script at its installation', () => {
  const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(readText('package-lock.json')).packages
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  assert.ok(installed.length > 100)
  const without = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
  const scripted = installed.filter(([, one]) => one.hasInstallScript === true && !one.dev && !one.optional)
  assert.deepEqual(
    [...without, ...scripted].map(([path]) => path),
    [],
  )
})

describe('the Dockerfile and the compose file', () => {
  test('start the programs of backups in their image as in the other one', () => {
    const [release, backup] = ['deploy/Dockerfile', 'deploy/backup.Dockerfile'].map((path) =>
      readText(path)
        .split(/^FROM /m)
        .at(-1),
    )
    for (const line of [/^ENTRYPOINT .*$/m, /^USER .*$/m, /^WORKDIR .*$/m, /^ENV DATA_DIR=.*$/m, /^STOPSIGNAL .*$/m])
      assert.equal(line.exec(backup ?? '')?.[0], line.exec(release ?? '')?.[0] ?? assert.fail(String(line)))
  })

  test('set only settings that exist', () => {
    const inImage = [...readText('deploy/Dockerfile').matchAll(/^ENV (\w+)=/gm)].map(([, name = '']) => name)
    assert.ok(inImage.includes('DATA_DIR'))
    assertSettings(inImage, 'deploy/Dockerfile')
    for (const [name, { command = [], environment = {} }] of gatehouseServices())
      assertSettings(
        Object.keys(environment).filter(
          (key) => !(command[0] === 'programs/sandbox.mjs' && key.startsWith('SANDBOX_')),
        ),
        name,
      )
  })

  test('start programs of the release, and mount files that exist', () => {
    for (const [name, { command = [] }] of gatehouseServices())
      assert.ok(shipped.has(command[0] ?? ''), `${name}: ${command[0]}`)
    for (const [name, { volumes = [] }] of Object.entries(compose().services))
      for (const [path] of volumes.map((volume) => volume.split(':')).filter(([path = '']) => path.startsWith('.')))
        assert.ok(existsSync(join(root, 'deploy', path ?? '')), `${name}: ${path}`)
  })

  test('run two api processes, a worker, and everything that a whole instance needs', () => {
    const { services } = compose()
    assert.deepEqual(Object.keys(services).toSorted(), [
      'api-1',
      'api-2',
      'database',
      'grafana',
      'mail',
      'migrate',
      'prometheus',
      'proxy',
      'sandbox',
      'worker',
    ])
    for (const [name, service] of gatehouseServices())
      assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
  })

  test('write no core file, which would contain keys and card numbers', () => {
    for (const [name, { ulimits }] of gatehouseServices()) assert.deepEqual(ulimits, { core: 0 }, name)
  })

  test('let the proxy check each api process by its name, and Prometheus find all by one', () => {
    const processes = gatehouseServices().filter(([, { command = [] }]) => command[1] === 'api')
    const proxy = readText('deploy/proxy/Caddyfile')
    for (const port of [8080, 8081])
      assert.ok(
        proxy.includes(`reverse_proxy ${processes.map(([name]) => `${name}:${port}`).join(' ')} {`),
        String(port),
      )
    assert.match(proxy, /health_uri \/service\/health/)
    assert.doesNotMatch(proxy, /\{args\.|dynamic/, 'replaced in newer releases of Caddy, or without checks')
    for (const [name, { networks }] of processes) assert.deepEqual(networks, { inside: { aliases: ['api'] } }, name)
    assert.match(readText('deploy/prometheus/prometheus.yaml'), /names: \[api\]/)
  })
})

describe('the proxies', () => {
  for (const [name, port] of [
    ['machine.Caddyfile', 'localhost:8081'],
    ['Caddyfile', 'api-1:8081'],
  ] as const)
    test(`${name} serves the panel without the metrics and the health in detail`, () => {
      const sites = readText(`deploy/proxy/${name}`)
        .split(/^\}\n/m)
        .filter((site) => site.includes(`reverse_proxy ${port}`))
      assert.equal(sites.length, 1)
      assert.match(sites[0] ?? '', /^\t@inside path \/metrics \/metrics\/\* \/service\/\*\n\trespond @inside 404\n/m)
    })
})

describe('the chart', () => {
  const manifests = parseAllDocuments(readText('deploy/helm/gatehouse/rendered.yaml')).map((document) =>
    document.toJS(),
  )

  const find = (wanted: string): Manifest =>
    manifests.find(({ kind, metadata }) => `${kind} ${metadata.name}` === wanted) ?? assert.fail(`${wanted} is missing`)

  test('was rendered from the templates and values as they are', () => {
    const [line] = readText('deploy/helm/gatehouse/rendered.yaml').split('\n')
    assert.equal(`${line}\n`, fingerprintLine(), 'Run "npm run chart" and review what changes in rendered.yaml.')
  })

  test('has its processes read under the job that alert rules and dashboards ask for', () => {
    const [monitor] = manifests.filter(({ kind }) => kind === 'ServiceMonitor')
    const labels = monitor.spec.selector.matchLabels
    const services = manifests.filter(
      ({ kind, metadata }) =>
        kind === 'Service' && Object.entries(labels).every(([name, value]) => metadata.labels[name] === value),
    )
    assert.equal(services.length, 1)
    // The operator takes the name of the service where it has no such label.
    const job = services[0].metadata.labels[monitor.spec.jobLabel] ?? services[0].metadata.name
    const queries = ['deploy/prometheus/rules.yaml', ...globSync('deploy/grafana/*.json', { cwd: root })].map(readText)
    const jobs = queries.flatMap((text) => [...text.matchAll(/\bjob=\\?"([^"\\]*)/g)].map(([, name]) => name))
    assert.ok(jobs.length > 4)
    assert.deepEqual([...new Set(jobs)], [job])
  })

  test('leads to the panel and the metrics while no process can take payments', () => {
    const services = manifests.filter(({ kind }) => kind === 'Service')
    const unready = services.filter(({ spec }) => spec.publishNotReadyAddresses === true)
    assert.deepEqual(
      unready.map(({ metadata }) => metadata.name),
      ['shop-admin', 'shop-metrics'],
    )
    const sites = readText('deploy/proxy/Caddyfile').split(/^(?=https:)/m)
    const addresses = sites.flatMap((site) => [...site.matchAll(/api-1:(\d+)|health_uri (\S+)/g)].map(([text]) => text))
    assert.deepEqual(addresses, ['api-1:8080', 'health_uri /service/health', 'api-1:8081', 'health_uri /service/alive'])
  })

  test('leaves out empty settings, which would win over those of the secret', () => {
    assert.match(readText('deploy/helm/gatehouse/values-test.yaml'), /SMTP_URL: ""/)
    assert.doesNotMatch(readText('deploy/helm/gatehouse/rendered.yaml'), /SMTP_URL|value: ""/)
  })

  test('brings the alert rules as they are', () => {
    const [rule] = manifests.filter(({ kind }) => kind === 'PrometheusRule')
    assert.deepEqual(rule.spec, parse(readText('deploy/prometheus/rules.yaml')))
    assert.equal(rule.metadata.labels.release, 'monitoring')
  })

  test('renders to objects that Kubernetes accepts', () => {
    // The Prometheus operator defines these two, so Kubernetes has no schema of them.
    for (const manifest of manifests.filter(({ kind }) => kind !== 'ServiceMonitor' && kind !== 'PrometheusRule'))
      assert.doesNotThrow(() => validate(manifest), `${manifest.kind} ${manifest.metadata.name}`)
    const broken = { ...manifests.find(({ kind }) => kind === 'Deployment'), spec: { replicas: 'two' } }
    assert.throws(() => new Deployment(broken).validate())
  })

  test('has an object of every kind that a live instance needs', () => {
    const kinds = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
    assert.deepEqual(kinds, [
      'CronJob shop-backup',
      'Deployment shop-api',
      'Deployment shop-worker',
      'HorizontalPodAutoscaler shop-api',
      'Job shop-migrate',
      'NetworkPolicy shop',
      'PodDisruptionBudget shop-api',
      'PodDisruptionBudget shop-worker',
      'PrometheusRule shop',
      'Service shop-admin',
      'Service shop-api',
      'Service shop-metrics',
      'ServiceMonitor shop',
    ])
  })

  test('starts programs of the release with settings that exist, and takes secrets by reference', () => {
    const started = manifests.filter(({ kind }) => ['Deployment', 'Job', 'CronJob'].includes(kind))
    assert.equal(started.length, 4)
    for (const manifest of started) {
      const [container] = podOf(manifest).containers
      assert.ok(shipped.has(container.args[0]), container.args[0])
      assertSettings(
        container.env.map(({ name }: { readonly name: string }) => name),
        manifest.metadata.name,
      )
      for (const { name } of container.env)
        assert.notEqual(Reflect.get(settings, name)?.meta()?.['secret'], true, `${name} is a secret`)
      assert.deepEqual(container.envFrom, [{ secretRef: { name: 'gatehouse-settings' } }])
      assert.deepEqual(
        [container.securityContext.readOnlyRootFilesystem, container.securityContext.capabilities],
        [true, { drop: ['ALL'] }],
      )
    }
    assertSettings(Object.keys(parse(readText('deploy/helm/gatehouse/values.yaml')).settings), 'values.yaml')
  })

  test('dumps the database every night as the timer of the package does, one at a time, into a claim that stays', () => {
    const [{ spec }, worker] = [find('CronJob shop-backup'), podOf(find('Deployment shop-worker'))]
    const { jobTemplate, ...schedule } = spec
    assert.deepEqual(schedule, {
      schedule: '30 2 * * *',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 21_600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
    })
    const { template, ...limits } = jobTemplate.spec
    assert.deepEqual(limits, { backoffLimit: 1, activeDeadlineSeconds: 21_600 })
    const { containers, volumes, restartPolicy, ...pod } = template.spec
    assert.equal(restartPolicy, 'Never')
    for (const name of ['automountServiceAccountToken', 'imagePullSecrets', 'securityContext'])
      assert.deepEqual(pod[name], worker[name], name)
    const [{ args, image, securityContext, env, volumeMounts }] = containers
    const [, command = ''] =
      /(programs\/gatehouse\.mjs .*)$/m.exec(readText('deploy/systemd/gatehouse-backup.service')) ?? []
    assert.deepEqual(args, command.split(' '))
    assert.equal(image, 'registry.example.com/gatehouse-backup:0.1.0')
    assert.deepEqual(securityContext, worker.containers[0].securityContext)
    assert.ok(env.some(({ name }: { readonly name: string }) => name === 'BACKUP_RECIPIENT'))
    const mount = volumeMounts.find(({ mountPath }: { readonly mountPath: string }) => mountPath === args[3])
    const volume = volumes.find(({ name }: { readonly name: string }) => name === mount.name)
    assert.deepEqual(volume.persistentVolumeClaim, { claimName: 'gatehouse-backups' })
    const claims = manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim')
    assert.deepEqual(claims, [], 'a claim of the chart is deleted with the release, and the backups with it')
  })

  test("makes no backups unless they are switched on, because their claim and their image are the operator's", () => {
    assert.equal(parse(readText('deploy/helm/gatehouse/values.yaml')).backup.enabled, false)
    assert.match(readText('deploy/helm/gatehouse/templates/backup.yaml'), /^\{\{- if \.Values\.backup\.enabled \}\}\n/)
  })

  test('lets processes reach what its values name, beside the database, mail and https', () => {
    const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy')
    const wanted = parse(readText('deploy/helm/gatehouse/values-test.yaml')).networkPolicy.extraEgress
    assert.equal(wanted.length, 2)
    assert.deepEqual(policy.spec.egress.slice(-2), wanted)
    const ports = policy.spec.egress.flatMap((rule: { readonly ports: readonly { readonly port: number }[] }) =>
      rule.ports.map(({ port }) => port),
    )
    assert.deepEqual(ports, [53, 53, 5432, 587, 443, 4318, 7000])
    assert.deepEqual(parse(readText('deploy/helm/gatehouse/values.yaml')).networkPolicy.extraEgress, [])
    const template = readText('deploy/helm/gatehouse/templates/network-policy.yaml')
    assert.match(template, /with \.Values\.networkPolicy\.extraEgress/)
  })

  test('is installed with the addresses of the ingress, without which all payers have one address', () => {
    const page = readText('docs/operations/deploy.md')
    const [install = ''] = /^helm install [\s\S]*?[^\\]$/m.exec(page) ?? []
    for (const name of ['BASE_URL', 'ADMIN_URL', 'TRUSTED_PROXIES'])
      assert.match(install, new RegExp(`--set settings\\.${name}=\\S`), name)
    assert.ok('TRUSTED_PROXIES' in parse(readText('deploy/helm/gatehouse/values.yaml')).settings)
  })

  test('has no more pods than the database of its page has connections for', () => {
    const values = parse(readText('deploy/helm/gatehouse/values.yaml'))
    // Without a strategy Kubernetes adds a quarter, rounded up.
    const surgeOf = (name: string, replicas: number): number =>
      find(`Deployment ${name}`).spec.strategy?.rollingUpdate.maxSurge ?? Math.ceil(replicas / 4)
    const { maxReplicas } = values.api.autoscaling
    const { replicas } = values.worker
    const pods = maxReplicas + surgeOf('shop-api', maxReplicas) + replicas + surgeOf('shop-worker', replicas)
    const { DATABASE_POOL, PANEL_DATABASE_POOL } = values.settings
    const pool = settings.DATABASE_POOL.parse(DATABASE_POOL) + settings.PANEL_DATABASE_POOL.parse(PANEL_DATABASE_POOL)
    // The formula of upgrading.md, with ten for the command line, backups and people, and two pods that are just ending.
    const needed = (pods + 2) * (pool + 1) + 10
    const page = readText('docs/operations/deploy.md')
    const [, named = ''] = /^\| `max_connections` \| `(\d+)` for the chart/m.exec(page) ?? []
    const [, least = '', most = ''] =
      /(\d+) connections, so that (\d+),/.exec(readText('deploy/helm/gatehouse/values.yaml')) ?? []
    assert.ok(Number(named) >= needed, `${pods} pods need ${needed} connections; the page names ${named}`)
    assert.ok(page.includes(`${pods} × ${pool + 1} = ${pods * (pool + 1)} connections`))
    assert.deepEqual([Number(least), Number(most)], [pool + 1, maxReplicas])
    assert.ok(readText('deploy/helm/gatehouse/values.yaml').includes(`max_connections = ${named} `))
    // While an upgrade runs two releases side by side.
    assert.ok(2 * 2 * (pool + 1) + 10 <= 100, 'one api and one worker process do not fit the default')
  })

  test('gets secrets from files, and from no argument, which every user of the machine could list', () => {
    const page = readText('docs/operations/deploy.md')
    assert.doesNotMatch(page, /--from-literal|--set secret/)
    const commands = page.split('\n').filter((line) => line.includes('settings.env'))
    assert.deepEqual(
      commands.map((line) => line.replace(/ {2,}#.*/, '')),
      [
        'install -m 600 /dev/null settings.env',
        'editor settings.env',
        'kubectl create secret generic gatehouse-settings --from-env-file=settings.env',
        'rm settings.env',
      ],
    )
  })

  test('has the version of the release', () => {
    const { version } = JSON.parse(readText('package.json'))
    const chart = parse(readText('deploy/helm/gatehouse/Chart.yaml'))
    assert.deepEqual([chart.version, chart.appVersion], [version, version])
  })
})

describe('the files of a database that fails over', () => {
  const patroni = parse(readText('deploy/ha/patroni.yaml'))

  test('let nobody change the configuration of the cluster without a password', () => {
    const { username, password } = patroni.restapi.authentication
    assert.deepEqual([username, password], ['patroni', '{{rest_password}}'])
  })

  test('admit other machines over TLS only, and verify the server in each connection between them', () => {
    const remote = z
      .array(z.string())
      .parse(patroni.bootstrap.pg_hba)
      .filter((line) => !line.startsWith('local '))
    assert.equal(remote.length, 2)
    for (const line of remote) assert.match(line, /^hostssl \S+ \S+ \{\{network\}\} scram-sha-256$/)
    const { ssl, ssl_cert_file, ssl_key_file } = patroni.postgresql.parameters
    assert.deepEqual([ssl, ssl_cert_file, ssl_key_file], ['on', '{{server_certificate}}', '{{server_key}}'])
    for (const name of ['superuser', 'replication', 'rewind']) {
      const { sslmode, sslrootcert } = patroni.postgresql.authentication[name]
      assert.deepEqual([sslmode, sslrootcert], ['verify-ca', '{{authority}}'], name)
    }
  })

  test('are filled in with addresses of the gateway that verify the server', () => {
    const page = readText('docs/operations/high-availability.md')
    const urls = [...page.matchAll(/postgres:\/\/[^\s'`]+/g)].map(([url]) => url)
    assert.ok(urls.length >= 3)
    for (const url of urls) assert.match(url, /\?sslmode=verify-full/, url)
  })
})

describe('the units and the Debian package', () => {
  const units = globSync('deploy/systemd/*.{service,timer,target}', { cwd: root })

  test('use only directives that systemd knows', () => {
    for (const path of units)
      for (const [, section = '', body = ''] of readText(path).matchAll(/^\[(\w+)\]\n((?:(?!\[).*\n?)*)/gm))
        for (const [, name = ''] of body.matchAll(/^(\w+)=/gm))
          assert.ok(unitDirectives[section]?.includes(name), `${path}: [${section}] ${name}`)
  })

  test('start programs of the package', () => {
    const installed = new Set([
      ...[...shipped].map((path) => `usr/lib/gatehouse/${path}`),
      ...debFiles.map(({ to }) => to),
    ])
    for (const path of units.filter((unit) => unit.endsWith('.service'))) {
      const [, program = ''] =
        /^ExecStart=\/usr\/lib\/gatehouse\/runtime\/node .*?([\w./-]+\.m?[tj]s)/m.exec(readText(path)) ?? []
      assert.ok(installed.has(`usr/lib/gatehouse/${program}`), `${path}: ${program}`)
    }
  })

  test('are ended by the removal of the package, timers included', () => {
    const [line = ''] = /^ *systemctl disable --now .*$/m.exec(readText('deploy/debian/prerm')) ?? []
    const enabled = units.filter((path) => /^\[Install\]$/m.test(readText(path))).map((path) => posix.basename(path))
    assert.ok(enabled.length >= 3)
    assert.deepEqual(
      enabled.filter((unit) => !line.split(' ').includes(unit)),
      [],
    )
  })

  test('keep trying to start while the database is away', () => {
    for (const name of ['api', 'worker', 'migrate']) {
      const text = readText(`deploy/systemd/gatehouse-${name}.service`)
      assert.match(text, /^StartLimitIntervalSec=0$/m, name)
      // A start that fails for what it requires is not repeated by Restart=.
      assert.doesNotMatch(text, /^(?:Requires|Requisite|BindsTo)=/m, name)
    }
    for (const name of ['api', 'worker']) {
      const text = readText(`deploy/systemd/gatehouse-${name}.service`)
      assert.match(text, /^Wants=gatehouse-migrate\.service$/m, name)
      assert.match(text, /^After=gatehouse-migrate\.service$/m, name)
      assert.match(text, /^Restart=always\nRestartSec=2$/m, name)
    }
  })

  test('write no core file, which would contain keys and card numbers', () => {
    for (const path of units.filter((unit) => unit.endsWith('.service')))
      assert.match(readText(path), /^LimitCORE=0$/m, path)
  })

  test('install files that exist, every unit among them', () => {
    for (const { from } of debFiles) assert.ok(existsSync(join(root, from)), from)
    const named = new Set(debFiles.map(({ from }) => from))
    assert.deepEqual(
      units.filter((path) => !named.has(path)),
      [],
    )
  })

  test('bring the data source and the dashboards to where the page has Grafana read them', () => {
    const page = readText('docs/operations/one-machine.md')
    const copies = [...page.matchAll(/^cp (?:-r )?\/(usr\/share\/gatehouse\/\S+) (\S*grafana\S*)$/gm)]
    assert.equal(copies.length, 3)
    const installed = ([, from = '']: readonly string[]) =>
      debFiles.filter(({ to }) => to === from || to.startsWith(`${from}/`))
    for (const copy of copies) assert.notDeepEqual(installed(copy), [], copy[1])
    const [sources, providers, dashboards] = copies.map(installed)
    const [source] = parse(readText(sources?.[0]?.from ?? '')).datasources
    for (const path of globSync('deploy/grafana/*.json', { cwd: root })) {
      assert.ok(
        dashboards?.some(({ from }) => from === path),
        `${path} is not in the package`,
      )
      const uids = [...readText(path).matchAll(/"type": "prometheus",\s+"uid": "([^"]*)"/g)].map(([, uid]) => uid)
      assert.deepEqual([...new Set(uids)], [source.uid], path)
    }
    const [provider] = parse(readText(providers?.[0]?.from ?? '')).providers
    assert.equal(provider.options.path, `${copies[2]?.[2]}dashboards`)
    const composed = parse(readText('deploy/grafana/provisioning/datasources/prometheus.yaml')).datasources[0]
    assert.deepEqual({ ...composed, url: source.url }, source)
  })

  test('offer settings that exist, and no secret', () => {
    const lines = readText('deploy/debian/gatehouse.env')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
    assertSettings(
      lines.map((line) => line.split('=')[0] ?? ''),
      'gatehouse.env',
    )
    assert.ok(lines.includes('DATABASE_URL='))
  })
})

interface LockedPackage {
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly optional?: boolean
}

interface ComposeService {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly networks?: unknown
  readonly ulimits?: unknown
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

function compose(): { readonly services: Readonly<Record<string, ComposeService>> } {
  return parse(readText('deploy/compose.yaml'), { merge: true })
}

const gatehouseServices = (): readonly (readonly [string, ComposeService])[] =>
  Object.entries(compose().services).filter(([, { image }]) => image === 'gatehouse')

type Manifest = ReturnType<Document['toJS']>

const podOf = ({ spec }: Manifest): Manifest => (spec.jobTemplate?.spec ?? spec).template.spec

const validators: Readonly<Record<string, (manifest: Manifest) => void>> = {
  CronJob: (manifest) => new CronJob(manifest).validate(),
  Deployment: (manifest) => new Deployment(manifest).validate(),
  HorizontalPodAutoscaler: (manifest) => new HorizontalPodAutoscaler(manifest).validate(),
  Job: (manifest) => new Job(manifest).validate(),
  NetworkPolicy: (manifest) => new NetworkPolicy(manifest).validate(),
  PodDisruptionBudget: (manifest) => new PodDisruptionBudget(manifest).validate(),
  Service: (manifest) => new Service(manifest).validate(),
}

function validate(manifest: Manifest): void {
  const validator = validators[manifest.kind] ?? assert.fail(`There is no schema for ${manifest.kind}.`)
  validator(manifest)
}

/** Nothing can be seen where core files are forbidden already. */
function noCoreFiles(): string | false {
  if (process.platform !== 'linux') return 'Limits are read from /proc.'
  const hard = execFileSync('/bin/sh', ['-c', 'ulimit -H -c'], { encoding: 'utf8' }).trim()
  return hard === 'unlimited' ? false : 'Core files are limited already.'
}
