import { TrashIcon } from '@primer/octicons-react/TrashIcon';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { CallInput, CallReply } from '../../../../src/calls/calls.ts';
import { useChange } from '../../api/use-change.tsx';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { coursesRoute } from '../courses/courses-route.ts';
import { courseRoute } from './course-route.ts';

interface Props {
  readonly named: CallInput<'courses.delete'>;
  readonly course: CallReply<'courses.show'>;
}

/** Deletes the course with its registrations, and leads to the list. */
export function DeleteCourse({ named, course }: Props) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate({ from: courseRoute.fullPath });
  const deletion = useChange('courses.delete', {
    done: ({ title }) => t('course.deleted', { title }),
    leave: () => navigate({ to: coursesRoute.to, params: { realm: named.realm }, replace: true }),
  });
  return (
    <ConfirmButton
      size="xs"
      variant="default"
      color="red"
      label={t('course.delete')}
      leftSection={<TrashIcon size={14} aria-hidden />}
      consequence={t('course.deleteConsequence', {
        title: course.title || course.course_guid,
        count: course.registrations,
        number: new Intl.NumberFormat(i18n.language).format(course.registrations),
      })}
      isPending={deletion.isPending}
      onConfirm={() => deletion.mutateAsync(named)}
    />
  );
}
