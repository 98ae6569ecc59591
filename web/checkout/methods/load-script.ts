/** Loads a wallet provider's script: the only third-party script, and only if that wallet is offered. Chapter 30 §7.9. */
const scriptLoads = new Map<string, Promise<boolean>>()

/** Whether the script is available; each script is loaded once. */
export function loadScript(address: string, integrity: string | null): Promise<boolean> {
  const known = scriptLoads.get(address)
  if (known) return known
  const arrival = new Promise<boolean>((resolve) => {
    const script = document.createElement('script')
    if (integrity !== null) script.integrity = integrity
    script.crossOrigin = 'anonymous'
    script.onload = () => resolve(true)
    script.onerror = () => resolve(false)
    setSource(script, address)
    document.head.append(script)
  })
  scriptLoads.set(address, arrival)
  return arrival
}

/** The page's Content Security Policy requires Trusted Types: script addresses must pass a policy of the page. */
function setSource(script: HTMLScriptElement, address: string): void {
  const factory: unknown = Reflect.get(window, 'trustedTypes')
  if (typeof factory !== 'object' || factory === null) {
    script.src = address
    return
  }
  Reflect.set(script, 'src', scriptPolicy(factory)(address))
}

/** Not all TypeScript libraries declare Trusted Types yet. */
function scriptPolicy(factory: object): (address: string) => unknown {
  const create: unknown = Reflect.get(factory, 'createPolicy')
  if (typeof create !== 'function') return (address) => address
  const policy: unknown = create.call(factory, `wallet-script-${scriptLoads.size}`, {
    createScriptURL: (address: string) => address,
  })
  const convert: unknown = typeof policy === 'object' && policy !== null ? Reflect.get(policy, 'createScriptURL') : null
  return typeof convert === 'function' ? (address) => convert.call(policy, address) : (address) => address
}
