import { afterEach, beforeEach, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import type { RunningSystem } from '@registrar/standalone/testing';
import { codeBlocksOf, type ExternalService } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { ClientDeveloper } from './client-developer.ts';

/** Finds Debian's package `libopenapi-client-perl`; the handle is the path of its module. */
function findPerlClient(): ExternalService<string> {
  const handle = '/usr/share/perl5/OpenAPI/Client.pm';
  return existsSync(handle)
    ? { available: true, handle }
    : { available: false, reason: 'OpenAPI::Client for Perl is not installed' };
}

/** Ten calls of methods that are generated from the document. Warnings end the program. */
const calls = `
use strict;
use warnings FATAL => 'all';
use Mojo::JSON qw(encode_json true false);
use Mojo::Util qw(b64_encode);
use OpenAPI::Client;

my $course_guid = 'first-aid-basics';
my ($learner_id, $name) = @ENV{qw(LEARNER NAME)};
my $authorization = 'Basic ' . b64_encode("$ENV{REALM_GUID}:$ENV{REALM_SECRET_KEY}", '');
my $client = OpenAPI::Client->new('openapi-3.0.json', base_url => $ENV{API});
$client->on(after_build_tx => sub { $_[1]->req->headers->authorization($authorization) });

sub answer {
  my $tx = $client->call(@_);
  die "$_[0]: " . $tx->error->{message} . ' ' . $tx->res->body if $tx->error;
  return $tx->res->json;
}

my $key = answer('apiKeys.create', { body => { lifetime_hours => 1 } });
$authorization = "Bearer $key->{access_token}";
my $courses = answer('courses.list', { 'course_guid[]' => [$course_guid] });
my $registration = answer('registrations.create', { body => { course_guid => $course_guid, learner_id => $learner_id, dont_duplicate => false } });
my $guid = $registration->{registration_guid};
my $shown = answer('registrations.get', { id => $guid });
my $listed = answer('registrations.list', { learner_id => $learner_id, include_inactive => true, max_age => 3600 });
my $updated = answer('registrations.update', { id => $guid, body => { custom => { department => 'sales', levels => [1, 2] } } });
my $launch = answer('registrations.launchUrl', { registration_guid => $guid });
my $invitation = answer('invitations.create', { body => { name => $name, license => false, course_guids => [$course_guid] } });
my $user = answer('realmUsers.create', { body => { email => "user-$learner_id", realm_role_id => 2 } });
my $missing = $client->call('courses.get', { id => 'none' });

# Nothing is sent without a required field.
my $refused = $client->call('registrations.create', { body => { learner_id => $learner_id } });

print encode_json({
  course => $courses->[0]{title},
  created => $registration->{complete},
  shown => $shown->{registration_guid} eq $guid ? true : false,
  listed => scalar @$listed,
  updated => $updated->{custom},
  launched => $launch->{launch_url} =~ /^http/ ? true : false,
  invitation => $invitation->{course_guids},
  user => $user->{email} eq "user-$learner_id" ? true : false,
  missing => 0 + $missing->res->code,
  refused => $refused->error->{message},
});
`;

/** Generates a client in Perl as docs/clients.md shows, runs its program, and ten calls. */
export function describePerlClient(running: () => RunningSystem): void {
  describeWith(findPerlClient(), 'a client in Perl', () => {
    let developer: ClientDeveloper;
    beforeEach(async () => {
      developer = await ClientDeveloper.create(running());
    });
    afterEach(() => developer.directory.remove());

    it('a client of OpenAPI::Client makes ten calls', async () => {
      const { directory } = developer;
      const blocks = codeBlocksOf('docs/clients.md').filter(({ section }) => section === 'Perl');
      expect(blocks.map(({ language }) => language)).toEqual(['sh', 'perl']);
      const [commands, program] = blocks.map(({ text }) => text);
      await developer.run('sh', ['-ec', commands!.replaceAll('npx ', '')]);
      await directory.write('program.pl', program!);
      expect(await developer.run('perl', ['program.pl'])).toMatch(/^[\da-f-]{36}\n$/);
      await directory.write('calls.pl', calls);
      expect(JSON.parse(await developer.run('perl', ['calls.pl']))).toEqual({
        course: 'First aid basics',
        created: 'unknown',
        shown: true,
        listed: 1,
        updated: { department: 'sales', levels: [1, 2] },
        launched: true,
        invitation: ['first-aid-basics'],
        user: true,
        missing: 404,
        refused: 'Invalid input',
      });
    });
  });
}
