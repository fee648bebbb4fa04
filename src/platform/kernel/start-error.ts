/**
 * A reason why the process cannot start that its operator can remove. The message is one English
 * line without secrets: the process prints only that line, without a stack, and exits with status
 * 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
