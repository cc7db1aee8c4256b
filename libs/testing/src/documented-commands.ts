import { codeBlocksOf, inlineCodeOf, markdownFiles } from './documentation.ts';
import { readTranscript, splitCommands } from './shell-commands.ts';

/** A command of the documentation: of a script, of a terminal's transcript, or within a sentence. */
export interface DocumentedCommand {
  /** The page's path from the root of the repository. */
  readonly page: string;
  /** The heading above the command; null in a sentence. */
  readonly section: string | null;
  readonly text: string;
  readonly form: 'script' | 'transcript' | 'sentence';
  /** The output that a transcript shows; null in the other forms. */
  readonly output: string | null;
}

/** Where the commands of the documentation are run, or why a test machine cannot run them. */
export const commandChecks = {
  standalone: 'tests/e2e/src/documentation.spec.ts runs them after a start of the standalone form',
  clients: 'tests/e2e/src/standalone.spec.ts generates clients with them, and runs these',
  distributed: 'tests/e2e/src/operations.nightly.spec.ts runs them on a distributed system',
  files: 'tests/docs/src/commands.spec.ts runs them; they need files and programs alone',
  kubectl: 'k8s/checks/commands.spec.ts gives them to kubectl; there is no cluster',
  helm: 'k8s/checks/chart.spec.ts gives them to helm; there is no cluster',
  'command line':
    'apps/cli/src/documented-commands.spec.ts parses them; a sentence shows them in part',
  checkout:
    'tests/docs/src/commands.spec.ts looks up what they name; they install, build, start or test a checkout',
  containers:
    'tests/docs/src/commands.spec.ts looks up what they name; they need a container engine, as npm run test:image does',
  'database dump':
    "tests/docs/src/commands.spec.ts looks up their options; Debian's programs refuse the newer server of the suites",
} as const;

/** Which check applies: the first rule whose page and text match. */
const rules: readonly {
  readonly check: keyof typeof commandChecks;
  readonly pages?: RegExp;
  readonly form?: DocumentedCommand['form'];
  readonly text?: RegExp;
}[] = [
  { check: 'kubectl', text: /\bkubectl / },
  { check: 'helm', text: /^helm / },
  {
    check: 'containers',
    text: /^(export (DOCKER_HOST|COMPOSE_FILE)|mkdir -p \/run\/podman)|\b(docker|podman) /,
  },
  // The procedure that changes the master key in Compose, with functions that call docker.
  { check: 'containers', text: /^(umask 077$|key ')/ },
  { check: 'files', text: /^mkdir -p var\/backups$/ },
  { check: 'checkout', text: /^(npm|npx nx|npx vitest|git|\.ci\/run)\b|npm run start:distributed/ },
  { check: 'database dump', text: /^(pg_(dump|dumpall|restore)|createdb) / },
  { check: 'files', pages: /operations/, text: /^(head|cp|rm|yq|promtool) / },
  { check: 'command line', form: 'sentence', text: /^(npx )?registrar\b|apps\/cli/ },
  { check: 'standalone', pages: /operator/, text: /^npx registrar realm list$/ },
  {
    check: 'standalone',
    pages:
      /^(README|docs\/(first-hour|wordpress|queries|troubleshooting|contract\/.+)|libs\/sample-courses\/README)\.md$/,
  },
  { check: 'clients', pages: /^docs\/clients\.md$/ },
  { check: 'distributed', pages: /^docs\/(operations|operator|kubernetes|alerts\/.+)\.md$/ },
];

/** Returns the check of a command; null when no suite checks it. */
export const checkOf = ({
  page,
  text,
  form,
}: DocumentedCommand): keyof typeof commandChecks | null =>
  rules.find(
    (rule) =>
      (!rule.pages || rule.pages.test(page)) &&
      (!rule.form || rule.form === form) &&
      (!rule.text || rule.text.test(text)),
  )?.check ?? null;

/** Programs whose name at the beginning of code in a sentence makes a command of it. */
const programs =
  /^(?:[A-Z_]+=\S+ )*(?:registrar|npm|npx|node|git|kubectl|helm|docker|podman|psql|pg_\w+|createdb|rabbitmq[\w-]+|curl|promtool|yq|head)(?= (?:[\w/$.]|--?[\w-]+ \S))/;

/** Pages that describe former versions, whose commands may be gone. */
const history = /^CHANGELOG\.md$|^docs\/decisions\//;

/** Returns every command of the documentation, page by page, in order. */
export const documentedCommands = (): DocumentedCommand[] =>
  markdownFiles()
    .filter((page) => !history.test(page))
    .flatMap(commandsOf);

/** Returns the commands of a page: of its blocks in order, then of its sentences. */
export function commandsOf(page: string): DocumentedCommand[] {
  const ofBlocks = codeBlocksOf(page).flatMap(({ language, section, text }): Found[] => {
    if (language === 'sh')
      return splitCommands(text).map((command) => ({
        section,
        text: command,
        form: 'script',
        output: null,
      }));
    if (language !== 'console') return [];
    return readTranscript(text).map((command) => ({ section, ...command, form: 'transcript' }));
  });
  const ofSentences = [...new Set(inlineCodeOf(page))]
    .filter((code) => programs.test(code))
    .map((text): Found => ({ section: null, text, form: 'sentence', output: null }));
  return [...ofBlocks, ...ofSentences].map((command) => ({ page, ...command }));
}

type Found = Omit<DocumentedCommand, 'page'>;
