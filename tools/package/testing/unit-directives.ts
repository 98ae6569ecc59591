/** Directives of systemd 252 that our units may use: a misspelt one would be ignored with a warning in a log. */
// biome-ignore format: a table is read in columns.
export const unitDirectives: Readonly<Record<string, readonly string[]>> = {
  Unit:    ['After', 'Description', 'Documentation', 'PartOf', 'StartLimitIntervalSec', 'Wants'],
  Install: ['WantedBy'],
  Timer:   ['OnCalendar', 'Persistent', 'RandomizedDelaySec'],
  Service: [
    'AmbientCapabilities', 'CapabilityBoundingSet', 'Environment', 'EnvironmentFile', 'ExecReload', 'ExecStart', 'Group', 'KeyringMode', 'LimitCORE',
    'LimitNOFILE', 'LockPersonality', 'NoNewPrivileges', 'PrivateDevices', 'PrivateIPC', 'PrivateTmp', 'PrivateUsers', 'ProcSubset',
    'ProtectClock', 'ProtectControlGroups', 'ProtectHome', 'ProtectHostname', 'ProtectKernelLogs', 'ProtectKernelModules',
    'ProtectKernelTunables', 'ProtectProc', 'ProtectSystem', 'ReadWritePaths', 'RemoveIPC', 'Restart', 'RestartSec',
    'RestrictAddressFamilies', 'RestrictNamespaces', 'RestrictRealtime', 'RestrictSUIDSGID', 'StateDirectory', 'StateDirectoryMode',
    'SystemCallArchitectures', 'SystemCallErrorNumber', 'SystemCallFilter', 'TimeoutStartSec', 'TimeoutStopSec', 'Type', 'UMask', 'User',
    'WorkingDirectory',
  ],
}
