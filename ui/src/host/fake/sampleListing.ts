/** A folder as a tool lists it, and fees as a tool writes them down. Values are invented. */

const names = ['budget.ods', 'harbour.md', 'letters', 'minutes.md', 'notes.txt', 'photos']

/** Nested, and with a list of entries that have parts of their own; another with every turn. */
export function listing(turn: number): Record<string, unknown> {
  return {
    path: '/home/ada/Documents',
    total: names.length,
    revision: 40 + turn,
    complete: true,
    entries: names.map((name, at) => ({
      name,
      kind: name.includes('.') ? 'file' : 'folder',
      bytes: name.includes('.') ? 1_024 * (at === 1 ? at + turn + 3 : at + 3) : null,
      owner: { name: 'ada', groups: ['staff', 'harbour'] },
      'last change': `2026-11-${String(20 + at)}T09:1${at}:00Z`,
    })),
    next: null,
  }
}

/** A list of flat objects. */
export const FILES = names.map((name, at) => ({ name, bytes: 1_024 * (at + 3), pinned: at === 1 }))

export const FEES = `## Fees for *gold debit card*

| Payment | Fee | Least |
|:--------|----:|------:|
| at home | 0.5 % | 0.10 |
| abroad  | 1.75 % | 0.50 |

- Fees are **part** of the amount, not added to it.
- See the [terms](https://bank.example/terms) for what counts as *abroad*.

\`\`\`json
{ "method": "gold debit card", "fee": 0.0175 }
\`\`\`
`
