import { UpstreamError } from "../errors.ts";
import type { Validation } from "../validate.ts";

/**
 * Reads JSON that an upstream has sent.
 * @param what - what errors call the text, of which they never hold a part
 * @throws UpstreamError naming every fault
 */
export function parseJson<T>(
  upstream: string,
  what: string,
  text: string | Buffer,
  validate: (value: unknown) => Validation<T>,
): T {
  const result = validate(parse());
  if (!result.valid) throw isWrong(`${what}: ${result.faults.join("; ")}`);
  return result.data;

  function parse(): unknown {
    try {
      return JSON.parse(text.toString());
    } catch {
      throw isWrong(`${what} is no JSON`);
    }
  }

  /** An upstream that answers isn't down, whatever it answers. */
  function isWrong(fault: string) {
    return new UpstreamError(upstream, fault, { mayBeDown: false });
  }
}
