import type { Manifest } from '../checks/manifests.ts';
import type { Overlay } from './overlay.ts';

/**
 * Values that the overlay repeats in many places, as it says itself: rendered as words, which the templates
 * replace by expressions.
 */
const placeholders: Readonly<Record<string, string>> = {
  'chart-namespace': '{{ .Release.Namespace }}',
  'chart-image:chart-tag': '{{ include "registrar.image" $ }}',
  'chart-public-host': '{{ .Values.publicHost }}',
  'chart-content-host': '{{ .Values.contentHost }}',
  'chart-runbooks': '{{ .Values.runbooks }}',
  'chart-database-address':
    '{{ .Values.database.address | default (ternary "database-pooler:5432/registrar" "database-rw:5432/registrar" .Values.database.pooler) }}',
  'chart-standby-address':
    '{{ .Values.database.standbyAddress | default "database-ro:5432/registrar" }}',
  'chart-database-outside':
    '{{ .Values.database.address | default (printf "database-rw.%s.svc:5432/registrar" .Release.Namespace) }}',
  'chart-broker-address': '{{ .Values.broker.address | default "rabbitmq:5671/registrar" }}',
  // A Job cannot be changed: other values or another version create another Job.
  'chart-hash': '{{ printf "%s %s" .Chart.Version (toJson .Values) | sha256sum | trunc 10 }}',
};

const any = new RegExp(Object.keys(placeholders).join('|'), 'g');

/** Whether a text has a placeholder. */
export const hasPlaceholder = (text: string): boolean => text.search(any) !== -1;

/** Replaces the placeholders in a text by their expressions. */
export const withExpressions = (text: string): string =>
  text.replaceAll(any, (name) => placeholders[name]!);

/** Sets the placeholders in the overlay; returns the values that were there. */
export function setPlaceholders(overlay: Overlay): Record<string, string> {
  const found: Record<string, string> = {};
  const set = (text: string, pattern: RegExp, value: string, placeholder: string): string => {
    const [, , old] = pattern.exec(text) ?? [];
    if (old === undefined) throw new Error(`the overlay production has no ${value}: ${pattern}`);
    found[value] = old;
    return text.replace(pattern, `$1${placeholder}`);
  };
  overlay.namespace = 'chart-namespace';
  overlay.images = [{ name: 'registrar', newName: 'chart-image', newTag: 'chart-tag' }];
  let text = JSON.stringify(overlay);
  text = set(text, /(PUBLIC_URL=https:\/\/)([^"]+)/, 'publicHost', 'chart-public-host');
  text = set(text, /(PROVIDER_CONTENT_URL=https:\/\/)([^"]+)/, 'contentHost', 'chart-content-host');
  text = set(text, /(runbooks: )([^" }]+)/, 'runbooks', 'chart-runbooks');
  Object.assign(overlay, JSON.parse(text));
  return found;
}

/** The addresses of the stores in URLs, which are others for existing stores. */
const addresses: Readonly<Record<string, string>> = {
  '@database-rw:5432/registrar?': '@chart-database-address?',
  '@database-pooler:5432/registrar?': '@chart-database-address?',
  '@database-ro:5432/registrar?': '@chart-standby-address?',
  '@database-rw.chart-namespace.svc:5432/registrar?': '@chart-database-outside?',
  '@rabbitmq:5671/registrar?': '@chart-broker-address?',
};

/** Replaces the addresses of the stores in an object by placeholders. */
export const withAddresses = (manifest: Manifest): Manifest =>
  JSON.parse(
    Object.entries(addresses).reduce(
      (text, [address, placeholder]) => text.replaceAll(address, placeholder),
      JSON.stringify(manifest),
    ),
  ) as Manifest;
