/** Which file of `deploy/` the Debian package installs where, and with which mode. */
interface InstalledFile {
  readonly from: string
  readonly to: string
  readonly mode: number
}

const row = (from: string, to: string, mode = 0o644): InstalledFile => ({ from, to, mode })

// biome-ignore format: a table is read in columns.
export const debFiles: readonly InstalledFile[] = [
  row('deploy/debian/gatehouse',                   'usr/bin/gatehouse', 0o755),
  row('deploy/debian/gatehouse.env',               'etc/gatehouse/gatehouse.env', 0o640),
  row('deploy/systemd/gatehouse.target',           'usr/lib/systemd/system/gatehouse.target'),
  row('deploy/systemd/gatehouse-migrate.service',  'usr/lib/systemd/system/gatehouse-migrate.service'),
  row('deploy/systemd/gatehouse-api.service',      'usr/lib/systemd/system/gatehouse-api.service'),
  row('deploy/systemd/gatehouse-worker.service',   'usr/lib/systemd/system/gatehouse-worker.service'),
  row('deploy/systemd/gatehouse-backup.service',   'usr/lib/systemd/system/gatehouse-backup.service'),
  row('deploy/systemd/gatehouse-backup.timer',     'usr/lib/systemd/system/gatehouse-backup.timer'),
  row('deploy/systemd/gatehouse-base-backup.service', 'usr/lib/systemd/system/gatehouse-base-backup.service'),
  row('deploy/systemd/gatehouse-base-backup.timer', 'usr/lib/systemd/system/gatehouse-base-backup.timer'),
  row('deploy/systemd/gatehouse.sysusers',         'usr/lib/sysusers.d/gatehouse.conf'),
  row('deploy/systemd/gatehouse.tmpfiles',         'usr/lib/tmpfiles.d/gatehouse.conf'),
  row('deploy/proxy/machine.Caddyfile',            'usr/share/gatehouse/Caddyfile'),
  row('deploy/prometheus/machine.yaml',            'usr/share/gatehouse/prometheus.yaml'),
  row('deploy/prometheus/rules.yaml',              'usr/share/gatehouse/rules.yaml'),
  row('deploy/grafana/machine/datasource.yaml',    'usr/share/gatehouse/grafana/datasource.yaml'),
  row('deploy/grafana/provisioning/dashboards/gatehouse.yaml', 'usr/share/gatehouse/grafana/dashboards.yaml'),
  ...['acquirers', 'callbacks', 'database', 'payments', 'wallets'].map((name) =>
  row(`deploy/grafana/${name}.json`,               `usr/share/gatehouse/dashboards/${name}.json`)),
  row('docs/operations/settings.md',               'usr/share/doc/gatehouse/settings.md'),
  row('docs/operations/deploy.md',                 'usr/share/doc/gatehouse/deploy.md'),
  row('docs/operations/one-machine.md',            'usr/share/doc/gatehouse/one-machine.md'),
  row('docs/operations/backup.md',                 'usr/share/doc/gatehouse/backup.md'),
  row('LICENSE',                                   'usr/share/doc/gatehouse/copyright'),
  row('deploy/debian/postinst',                    'DEBIAN/postinst', 0o755),
  row('deploy/debian/prerm',                       'DEBIAN/prerm', 0o755),
]
