/** Where learners' browsers reach this provider, without a slash at the end. */
export class PublicAddress {
  url = '';
}
