/** A large module that is loaded when it is first wanted. */
export class Lazy<T> {
  #value = $state.raw<T | null>(null)
  #begun = false
  readonly #load: () => Promise<T>

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  /** The module, or nothing while it is loaded and where it could not be: whoever has read that is told when it is there. */
  get value(): T | null {
    if (!this.#begun) {
      this.#begun = true
      void this.#load().then(
        (loaded) => (this.#value = loaded),
        () => (this.#begun = false),
      )
    }
    return this.#value
  }
}
