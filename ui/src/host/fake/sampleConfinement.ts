/** What sample servers can access, and variants of it for the gallery. Values are invented. */
import type { ConfinementSettings, ConfinementView, Launch, ReachablePath } from '../types.gen'

const HOMES = '/home/ada/.local/share/majordomo/homes'
const GIVEN: ConfinementSettings = { confined: true, paths: [], network: { kind: 'none' } }

const reachable = (
  path: string,
  because: ReachablePath['because'],
  change = false,
): ReachablePath => ({ path, change, because })

/** What a server can access that was given nothing besides its command; `more` says what is otherwise. */
export const confinementView = (more: Partial<ConfinementView> = {}): ConfinementView => ({
  settings: GIVEN,
  tier: 'namespaces',
  paths: [],
  withheld: [],
  hidden: [],
  home: null,
  refused: [],
  refused_files: [],
  ...more,
})

/** The same, without a sandbox. */
export const unconfined = (): ConfinementView =>
  confinementView({ settings: { ...GIVEN, confined: false } })

/** What a command that is not kept yet could access. */
export const confinementOf = (launch: Launch): ConfinementView | null => {
  if (launch.kind !== 'stdio') return null
  const { command, args, cwd } = launch
  return confinementView({
    paths: [
      ...(command.startsWith('/') ? [reachable(command, 'program')] : []),
      ...(cwd === null ? [] : [reachable(cwd, 'working_folder', true)]),
      ...args
        .filter((word) => word.startsWith('/'))
        .map((path) => reachable(path, 'argument', true)),
    ],
  })
}

/** What a package that is downloaded could access. */
export const packageConfinement = (): ConfinementView =>
  confinementView({
    paths: [
      reachable('/home/ada/.npm/_npx/2a8f1c', 'code'),
      ...['Documents', 'Music', 'Notes', 'Pictures', 'Videos', 'projects'].map((name) =>
        reachable(`/home/ada/${name}`, 'argument', true),
      ),
    ],
    withheld: ['/home/ada'],
  })

/** What the sample server of files can access. */
const files = (): ConfinementView =>
  confinementView({
    settings: {
      confined: true,
      paths: [{ path: '/home/ada/Templates', change: false }],
      network: { kind: 'hosts', hosts: ['api.example.com', '*.example.org:8443'] },
    },
    paths: [
      reachable('/opt/mcp-server-filesystem', 'program'),
      reachable('/opt/mcp-server-filesystem/node_modules', 'code'),
      reachable('/home/ada/Documents', 'argument', true),
      reachable('/media/usb/photos', 'root', true),
      reachable('/home/ada/Templates', 'chosen'),
    ],
    home: `${HOMES}/files`,
  })

/** Variants for the server of files, by the name under which the address asks for them. */
const VARIANTS: Record<string, () => ConfinementView> = {
  landlock: () => ({
    ...files(),
    tier: 'landlock',
    settings: { ...files().settings, network: { kind: 'open' } },
  }),
  obstacle: () => ({ ...files(), tier: 'landlock' }),
  missing: () => ({ ...files(), tier: null }),
  off: unconfined,
  refused: () => ({
    ...files(),
    refused: [
      { name: 'registry.npmjs.org', times: 3, because: 'not_listed', problem: null },
      { name: 'telemetry.vendor.example', times: 41, because: 'not_listed', problem: null },
      {
        name: 'mail.example.org:8443',
        times: 1,
        because: 'unreachable',
        problem: 'connection refused',
      },
    ],
    refused_files: [
      { path: '/home/ada/Downloads/invoice.pdf', times: 1 },
      { path: '/etc/hosts', times: 2 },
    ],
  }),
  protected: () => ({
    ...files(),
    withheld: ['/home/ada', '/home/ada/.ssh/config'],
    hidden: ['/home/ada/Documents/.git-credentials', '/home/ada/Documents/.npmrc'],
  }),
  many: () => ({
    ...files(),
    settings: { ...files().settings, paths: manyPaths(64) },
    paths: manyPaths(64).map(({ path, change }) => reachable(path, 'chosen', change)),
  }),
}

const manyPaths = (count: number): ConfinementSettings['paths'] =>
  Array.from({ length: count }, (_, at) => ({
    path: `/home/ada/projects/customer-${at + 1}/contracts and invoices`,
    change: at % 3 === 0,
  }))

/** What the sample servers can access; of that of files, in this variant. */
export const sampleConfinements = (variant: string | null): Record<string, ConfinementView> => ({
  files: (VARIANTS[variant ?? ''] ?? files)(),
  web: unconfined(),
})

/** Whether the host would not give this without a second yes. */
export const isProtected = (path: string): boolean =>
  path === '/home/ada' || path.split('/').includes('.ssh')

/** What a server can access once this was chosen for it. */
export function chosen(before: ConfinementView, settings: ConfinementSettings): ConfinementView {
  const given = settings.paths.map(({ path, change }) => reachable(path, 'chosen', change))
  const allowed = settings.network.kind === 'hosts' ? settings.network.hosts : []
  return {
    ...before,
    settings,
    paths: [...before.paths.filter(({ because }) => because !== 'chosen'), ...given],
    withheld: before.withheld.filter((path) => !given.some((other) => other.path === path)),
    refused: before.refused.filter(({ name }) => !allowed.includes(name)),
  }
}
