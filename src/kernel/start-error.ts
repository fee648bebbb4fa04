/**
 * A reason why the process can't start that its operator can act on. The message is one English line and holds no
 * secret: the process prints just that line, without a stack, and exits with status 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
