import { pictureBytesOfClientMax, picturesMax } from '../../../warehouse/catalogue/pictures.ts'
import { type Check, check } from '../check.ts'

/** Pictures of goods: bytes by their hash. A foreign key makes sure that a product's picture exists. */
export const pictureChecks: readonly Check[] = [
  check(
    'pictures are the bytes of their hash',
    (db, own) => db`
      select p.client_id, format('picture %s', encode(p.hash, 'hex')) as object,
        format('its bytes have %s', encode(sha256(p.bytes), 'hex')) as what
      from pictures p where ${own('p')} and p.hash <> sha256(p.bytes)`,
  ),
  check(
    'pictures that no product shows are known as unused',
    (db, own) => db`
      select p.client_id, format('picture %s', encode(p.hash, 'hex')) as object, 'no product shows it' as what
      from pictures p
      where ${own('p')} and p.unused_since is null
        and not exists (select from product_pictures k where k.client_id = p.client_id and k.uploaded = p.hash)
        and not exists (select from product_pictures k where k.client_id = p.client_id and k.fetched = p.hash)`,
  ),
  check(
    'pictures of a client keep their bound',
    (db, own) => db`
      select p.client_id, 'pictures' as object,
        format('%s of %s bytes', count(*), sum(octet_length(p.bytes))) as what
      from pictures p where ${own('p')} group by p.client_id
      having count(*) > ${picturesMax} or sum(octet_length(p.bytes)) > ${pictureBytesOfClientMax}`,
  ),
]
