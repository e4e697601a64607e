{{- define "clipswap.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "clipswap.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "clipswap.labels" -}}
{{ include "clipswap.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "clipswap.image" -}}
{{- $repository := required "image.repository is needed: where a release was published, such as ghcr.io/owner/clipswap" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- /* The settings of every container. They stand in the pods themselves: the job runs before a ConfigMap is there. */ -}}
{{- define "clipswap.env" -}}
- name: PUBLIC_URL
  value: {{ required "publicUrl is needed, such as https://clipswap.example.org" .Values.publicUrl | quote }}
# Programs that keep something there get a folder that can be written to.
- name: HOME
  value: /tmp
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if .Values.files.existingClaim }}
- name: FILES_DIR
  value: /var/lib/clipswap/files
{{- end }}
{{- if .Values.metrics.enabled }}
- name: METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- end }}
{{- end -}}

{{- define "clipswap.envFrom" -}}
- secretRef:
    name: {{ required "existingSecret is needed: a Secret with DATABASE_URL and SECRET_KEY" .Values.existingSecret }}
{{- end -}}

{{- define "clipswap.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "clipswap.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* What all pods have in common. */ -}}
{{- define "clipswap.pod" -}}
automountServiceAccountToken: false
# Else Kubernetes sets names such as CLIPSWAP_PORT for each service.
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext:
  {{- include "clipswap.podSecurity" . | nindent 2 }}
volumes:
  - name: tmp
    emptyDir: {}
  {{- if .Values.files.existingClaim }}
  - name: files
    persistentVolumeClaim:
      claimName: {{ .Values.files.existingClaim }}
  {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "clipswap.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.files.existingClaim }}
- name: files
  mountPath: /var/lib/clipswap
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}
