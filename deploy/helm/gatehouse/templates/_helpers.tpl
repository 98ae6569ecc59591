{{- define "gatehouse.labels" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "gatehouse.selector" -}}
app.kubernetes.io/name: gatehouse
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gatehouse.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "gatehouse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "gatehouse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "gatehouse.environment" -}}
- { name: GATEHOUSE_KEY_FILE, value: /etc/gatehouse/keys.json }
{{- /* An empty one would win over the secret with the settings. */}}
{{- range $name, $value := .Values.settings }}
{{- if ne (toString $value) "" }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "gatehouse.mounts" -}}
- { name: data, mountPath: /var/lib/gatehouse }
- { name: keys, mountPath: /etc/gatehouse, readOnly: true }
- { name: temporary, mountPath: /tmp }
{{- end }}

{{- define "gatehouse.volumes" -}}
# The state is in the database. Lost with the pods: pulse.json, which detects a restored snapshot (docs/operations/restore.md).
- { name: data, emptyDir: { sizeLimit: 64Mi } }
- { name: temporary, emptyDir: { sizeLimit: 64Mi } }
- name: keys
  secret: { secretName: {{ .Values.secrets.keys }}, defaultMode: 0440 }
{{- end }}
