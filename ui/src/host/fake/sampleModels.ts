/** Sample models: one with a key, one that this computer serves. */
import type { LocalModels, ModelView } from '../types.gen'

const DAY = 24 * 60 * 60_000
const ADDED = Date.UTC(2026, 10, 21, 9, 30) - 3 * DAY

/** Models that were set up. */
export function someModels(): ModelView[] {
  return [
    {
      id: 'model-1',
      name: 'Claude',
      settings: {
        service: 'anthropic',
        url: 'https://api.anthropic.com',
        name: 'claude-sonnet-4-5',
        context: 200_000,
        sees_images: true,
        plain_nearby: false,
      },
      has_key: true,
      added_at: ADDED,
    },
    {
      id: 'model-2',
      name: 'Here',
      settings: {
        service: 'ollama',
        url: 'http://127.0.0.1:11434',
        name: 'qwen3:8b',
        context: 8_192,
        sees_images: false,
        plain_nearby: false,
      },
      has_key: false,
      added_at: ADDED,
    },
  ]
}

/** What Ollama serves on this computer. */
export function localModels(): LocalModels {
  return {
    program: 'ollama',
    service: 'ollama',
    url: 'http://127.0.0.1:11434',
    offered: [
      { name: 'qwen3:8b', context: 40_960 },
      { name: 'gemma3:4b', context: null },
    ],
  }
}
