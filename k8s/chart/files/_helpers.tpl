{{/* The image of the apps. */}}
{{- define "registrar.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag }}{{ end }}
{{- end }}

{{/* The image of a store. CloudNativePG reads the version from the tag, also beside a digest. */}}
{{- define "registrar.storeImage" -}}
{{ .repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end }}

{{/* A value as a string: a number or a truth value as it is written. */}}
{{- define "registrar.string" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end }}

{{/* A map whose values are strings, as JSON. */}}
{{- define "registrar.strings" -}}
{{- $strings := dict -}}
{{- range $name, $value := . -}}
{{- $_ := set $strings $name (include "registrar.string" $value) -}}
{{- end -}}
{{ toJson $strings }}
{{- end }}
